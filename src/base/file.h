#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace heddle {

/// The whole of a file. Throws InputError with the reason where it cannot be read.
std::string read_file(const std::filesystem::path& path);
/// Replaces a file's content. Throws InputError with the reason where it cannot be written.
void write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace heddle
