#pragma once

#include "config/toml_table.h"
#include "energy/technology.h"

namespace heddle::energy {

/// Appends the parts of all [[area]] tables to `technology`. Areas of a base technology are not
/// inherited.
void read_areas(const config::TomlTable& top, Technology& technology);
/// The part that the key names. Throws InputError if `technology` has no such part.
const AreaPart& area_named(const config::TomlTable& table, std::string_view key,
                           const Technology& technology);

}  // namespace heddle::energy
