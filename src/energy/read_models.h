#pragma once

// What a technology's file says beside the figures of events and components: of the whole chip, and
// of wires.

#include "config/toml_table.h"
#include "energy/technology.h"

namespace heddle::energy {

/// [chip_model] and [wires], where they are there.
void read_models(const config::TomlTable& top, Technology& technology);

}  // namespace heddle::energy
