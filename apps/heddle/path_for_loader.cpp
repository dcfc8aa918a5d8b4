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

/// Whether the path is valid in the loader's lists of paths. The loader expands names after '$'.
bool is_listable(const std::string& path) {
  return path.find_first_of(" \t:;$") == std::string::npos;
}

[[noreturn]] void reject(const std::string& folder, const std::string& why) {
  throw InputError(
      fmt::format("heddle is in {}: the dynamic loader splits paths at spaces and colons, and a "
                  "link to this folder cannot be created: {}; move heddle to another folder",
                  folder, why));
}

/// A folder for links to which no other user can write. `folder` is only for messages.
std::string folder_of_links(const std::string& folder) {
  std::error_code error;
  std::string temporary = std::filesystem::temp_directory_path(error).string();
  if (error || !is_listable(temporary)) temporary = "/tmp";
  std::string links = fmt::format("{}/heddle-{}", temporary, ::geteuid());
  if (::mkdir(links.c_str(), 0700) != 0 && errno != EEXIST) {
    reject(folder, fmt::format("{}: {}", links, std::strerror(errno)));
  }
  struct ::stat found {};
  if (::lstat(links.c_str(), &found) != 0 || !S_ISDIR(found.st_mode) ||
      found.st_uid != ::geteuid() || (found.st_mode & 0077) != 0) {
    reject(folder, fmt::format("{} is not a folder of this user alone", links));
  }
  return links;
}

}  // namespace

std::filesystem::path path_for_loader(const std::filesystem::path& folder) {
  const std::string name = folder.string();
  if (is_listable(name)) return folder;
  const std::string link =
      fmt::format("{}/{:016x}", folder_of_links(name), std::hash<std::string>{}(name));
  std::error_code error;
  if (::symlink(name.c_str(), link.c_str()) != 0 &&
      std::filesystem::read_symlink(link, error) != folder) {
    reject(name, fmt::format("{}: {}", link, std::strerror(errno)));
  }
  return link;
}

}  // namespace heddle
