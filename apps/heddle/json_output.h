#pragma once

#include <nlohmann/json.hpp>

#include "base/output_file.h"

namespace heddle {

/// Writes a result where --json says. Bytes that are no UTF-8 (they can stand in a message about
/// broken input) are replaced. Throws InputError.
void write_json(const nlohmann::ordered_json& json, const OutputFile& file);

}  // namespace heddle
