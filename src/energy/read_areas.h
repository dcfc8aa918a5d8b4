#pragma once

#include "config/toml_table.h"
#include "energy/technology.h"

namespace heddle::energy {

/// [[area]], as often as it is there; what a base has is not taken over.
void read_areas(const config::TomlTable& top, Technology& technology);
/// The part that is called as the key says.
const AreaPart& area_named(const config::TomlTable& table, std::string_view key,
                           const Technology& technology);

}  // namespace heddle::energy
