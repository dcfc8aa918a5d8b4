#pragma once

#include <filesystem>
#include <string>

namespace heddle {

/// Returns the content of a file. Throws InputError with the reason if it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace heddle
