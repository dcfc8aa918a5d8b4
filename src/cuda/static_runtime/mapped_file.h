#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace heddle::cuda {

/// A file mapped into memory: only the accessed pages are read.
class MappedFile {
 public:
  /// Empty if the file cannot be read or is not a regular file.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace heddle::cuda
