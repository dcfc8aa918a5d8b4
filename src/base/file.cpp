#include "base/file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace heddle {

std::string read_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw InputError(fmt::format("cannot read {}: it is a folder", path.string()));
  }
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  if (in) content << in.rdbuf();
  if (!in || in.bad()) {
    throw InputError(fmt::format("cannot read {}: {}", path.string(),
                                 errno != 0 ? std::strerror(errno) : "read error"));
  }
  return std::move(content).str();
}

}  // namespace heddle
