#pragma once

// Reads the models in a technology's file: of the power of a whole chip, of the energy of wires,
// and of the energy of memory arrays that no table lists.

#include "config/toml_table.h"
#include "energy/technology.h"

namespace heddle::energy {

/// Reads [chip_model] and [wires], if present.
void read_models(const config::TomlTable& top, Technology& technology);
/// Reads the key 'array' of an event's table. Sets the event's figure to the estimate of
/// ArrayModel, and `energy.estimate` to a description of the error.
void read_array(const config::TomlTable& event, const Technology& technology, EventEnergy& energy);

}  // namespace heddle::energy
