#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace heddle::cuda {

/// A file mapped into memory, so that only the pages that are accessed are read.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// The file's content; empty if the file cannot be read or is not a regular file.
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace heddle::cuda
