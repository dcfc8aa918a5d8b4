#pragma once

#include "config/toml_table.h"
#include "energy/technology.h"

namespace heddle::energy {

/// Reads all [[area]] tables. Areas of a base technology are not inherited.
void read_areas(const config::TomlTable& top, Technology& technology);
/// The part that the key names; fails if there is none.
const AreaPart& area_named(const config::TomlTable& table, std::string_view key,
                           const Technology& technology);

}  // namespace heddle::energy
