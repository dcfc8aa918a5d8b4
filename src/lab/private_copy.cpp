#include "lab/private_copy.h"

#include <fmt/format.h>
#include <stdlib.h>  // mkdtemp
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include "base/error.h"

namespace heddle::lab {
namespace {

namespace fs = std::filesystem;

/// The suffixes of an SQLite database: of the file itself, its write-ahead log, and its rollback
/// journal.
constexpr std::array<const char*, 3> kSuffixes{"", "-wal", "-journal"};

/// Identity, size and time of the last change of each file. If two states are equal, nothing was
/// written in between.
std::vector<std::int64_t> state_of(const std::string& file) {
  std::vector<std::int64_t> state;
  for (const char* const suffix : kSuffixes) {
    struct stat found {};
    if (::stat((file + suffix).c_str(), &found) != 0) found = {};
    for (const auto number :
         {static_cast<std::int64_t>(found.st_ino), static_cast<std::int64_t>(found.st_size),
          static_cast<std::int64_t>(found.st_mtim.tv_sec),
          static_cast<std::int64_t>(found.st_mtim.tv_nsec)}) {
      state.push_back(number);
    }
  }
  return state;
}

}  // namespace

PrivateCopy::PrivateCopy(const fs::path& file) {
  std::string name = (fs::temp_directory_path() / "heddle-store-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw InputError(
        fmt::format("{}: cannot be copied to {}: {}", file.string(), name, std::strerror(errno)));
  }
  folder_ = name;
  const std::string from = fs::weakly_canonical(file).string();
  constexpr int kAttempts = 20;
  try {
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      const auto before = state_of(from);
      for (const char* const suffix : kSuffixes) {
        fs::remove(path() + suffix);
        if (!fs::exists(from + suffix)) continue;
        fs::copy_file(from + suffix, path() + suffix);
        // A copy inherits the original's permissions, which may forbid writing.
        fs::permissions(path() + suffix, fs::perms::owner_read | fs::perms::owner_write);
      }
      if (state_of(from) == before) return;
    }
    throw InputError(fmt::format("{}: cannot be copied while it keeps changing; try again later",
                                 file.string()));
  } catch (const fs::filesystem_error& error) {
    fs::remove_all(folder_);
    throw InputError(fmt::format("cannot read {}: {}", file.string(), error.code().message()));
  } catch (...) {
    fs::remove_all(folder_);
    throw;
  }
}

PrivateCopy::~PrivateCopy() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace heddle::lab
