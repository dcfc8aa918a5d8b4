#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace heddle {

/// The modification time of a file, as text. Two calls that return different texts show that the
/// file was written between them. Empty if the file does not exist.
inline std::string file_stamp(const std::string& file) {
  std::error_code error;
  const auto time = std::filesystem::last_write_time(file, error);
  return error ? std::string() : std::to_string(time.time_since_epoch().count());
}

}  // namespace heddle
