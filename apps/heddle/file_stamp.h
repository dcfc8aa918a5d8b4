#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace heddle {

/// When a file was written, to find out later whether it has been written since; empty where there
/// is none.
inline std::string file_stamp(const std::string& file) {
  std::error_code none;
  const auto time = std::filesystem::last_write_time(file, none);
  return none ? std::string() : std::to_string(time.time_since_epoch().count());
}

}  // namespace heddle
