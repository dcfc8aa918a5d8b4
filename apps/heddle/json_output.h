#pragma once

#include <nlohmann/json.hpp>

#include "base/output_file.h"

namespace heddle {

/// Writes a result to the file of --json. Bytes that are not UTF-8, which can occur in messages
/// about broken input, are replaced. Throws InputError.
void write_json(const nlohmann::ordered_json& json, const OutputFile& file);

}  // namespace heddle
