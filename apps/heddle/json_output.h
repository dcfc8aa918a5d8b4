#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace heddle {

/// Writes a result where --json says: to a file, or to standard output for '-'. Bytes that are no
/// UTF-8 (they can stand in a message about broken input) are replaced.
void write_json(const nlohmann::ordered_json& json, const std::string& file);

}  // namespace heddle
