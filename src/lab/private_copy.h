#pragma once

#include <filesystem>
#include <string>

namespace heddle::lab {

/// A consistent copy of an SQLite file and its log files in a temporary folder. The destructor
/// removes the folder.
class PrivateCopy {
 public:
  /// Throws InputError if the file cannot be read or does not stop changing.
  explicit PrivateCopy(const std::filesystem::path& file);
  ~PrivateCopy();
  PrivateCopy(const PrivateCopy&) = delete;
  PrivateCopy& operator=(const PrivateCopy&) = delete;

  std::string path() const { return (folder_ / "copy.sqlite").string(); }

 private:
  std::filesystem::path folder_;
};

}  // namespace heddle::lab
