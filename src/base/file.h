#pragma once

#include <filesystem>
#include <string>

namespace heddle {

/// The whole of a file. Throws InputError with the reason where it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace heddle
