#include "path_for_loader.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <string>
#include <system_error>

#include "base/error.h"

namespace heddle {
namespace {

bool can_be_told(const std::string& path) {
  return path.find_first_of(" \t:;$") == std::string::npos;  // $ begins a name for a path.
}

[[noreturn]] void refuse(const std::string& folder, const std::string& why) {
  throw InputError(
      fmt::format("heddle lies in {}: the loader of programs takes a path apart at its spaces and "
                  "colons, and a link to it cannot be made: {}; move it",
                  folder, why));
}

/// One that nobody else can put anything into.
std::string folder_of_links(const std::string& folder) {
  std::error_code none;
  std::string temporary = std::filesystem::temp_directory_path(none).string();
  if (none || !can_be_told(temporary)) temporary = "/tmp";
  std::string own = fmt::format("{}/heddle-{}", temporary, ::geteuid());
  if (::mkdir(own.c_str(), 0700) != 0 && errno != EEXIST) {
    refuse(folder, fmt::format("{}: {}", own, std::strerror(errno)));
  }
  struct ::stat found {};
  if (::lstat(own.c_str(), &found) != 0 || !S_ISDIR(found.st_mode) || found.st_uid != ::geteuid() ||
      (found.st_mode & 0077) != 0) {
    refuse(folder, fmt::format("{} is not a folder of this user alone", own));
  }
  return own;
}

}  // namespace

std::filesystem::path path_for_loader(const std::filesystem::path& folder) {
  const std::string name = folder.string();
  if (can_be_told(name)) return folder;
  const std::string link =
      fmt::format("{}/{:016x}", folder_of_links(name), std::hash<std::string>{}(name));
  std::error_code none;
  if (::symlink(name.c_str(), link.c_str()) != 0 &&
      std::filesystem::read_symlink(link, none) != folder) {
    refuse(name, fmt::format("{}: {}", link, std::strerror(errno)));
  }
  return link;
}

}  // namespace heddle
