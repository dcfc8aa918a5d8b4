#pragma once

// Reads the models in a technology's file: of the whole chip, of wires, and of arrays that no table
// lists.

#include "config/toml_table.h"
#include "energy/technology.h"

namespace heddle::energy {

/// Reads [chip_model] and [wires], if present.
void read_models(const config::TomlTable& top, Technology& technology);
/// Reads an event's 'array' and estimates its figure by the array model, with the error.
void read_array(const config::TomlTable& event, const Technology& technology, EventEnergy& energy);

}  // namespace heddle::energy
