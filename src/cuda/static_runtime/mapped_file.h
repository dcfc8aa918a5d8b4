#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace heddle::cuda {

/// A file's bytes, of which only those that are looked at are read.
class MappedFile {
 public:
  /// No bytes where it cannot be read or is no regular file.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace heddle::cuda
