#pragma once

#include <filesystem>
#include <string>

namespace heddle::lab {

/// An SQLite file in a folder of its own, with what lies beside it and belongs to it (SQLite's
/// log), as they were at one moment. It goes with this.
class PrivateCopy {
 public:
  /// Throws InputError where the file cannot be read, or changes all the time.
  explicit PrivateCopy(const std::filesystem::path& file);
  ~PrivateCopy();
  PrivateCopy(const PrivateCopy&) = delete;
  PrivateCopy& operator=(const PrivateCopy&) = delete;

  std::string path() const { return (folder_ / "copy.sqlite").string(); }

 private:
  std::filesystem::path folder_;
};

}  // namespace heddle::lab
