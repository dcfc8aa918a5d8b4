#pragma once

// What a technology's file says beside the figures of events and components: of the whole chip, of
// wires, and of arrays that no table has.

#include "config/toml_table.h"
#include "energy/technology.h"

namespace heddle::energy {

/// [chip_model] and [wires], where they are there.
void read_models(const config::TomlTable& top, Technology& technology);
/// An event's 'array': its figure by a model, with how good that is.
void read_array(const config::TomlTable& event, const Technology& technology, EventEnergy& energy);

}  // namespace heddle::energy
