#pragma once

// Builds fat binaries field by field, for tests. A fat binary is the container in which nvcc puts
// PTX and machine code into a program.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace heddle::cuda {

inline constexpr std::uint16_t kPtxKind = 1;
inline constexpr std::uint16_t kElfKind = 2;
inline constexpr std::uint64_t kLz4Flag = 0x2000;
inline constexpr std::uint64_t kZstdFlag = 0x8000;

/// An image: PTX or machine code for one compute capability.
struct ImageBytes {
  std::uint16_t kind = kPtxKind;
  std::uint32_t sm = 75;       ///< The compute capability: 75 means 7.5.
  std::string payload = "";    ///< PTX or machine code, which may be compressed.
  std::uint64_t flags = 0;     ///< kLz4Flag or kZstdFlag if the payload is compressed.
  std::uint64_t unpacked = 0;  ///< The size of a compressed payload after decompression, in bytes.
  std::uint32_t header = 64;   ///< The size of the image's header in bytes.
};

/// A fat binary that begins without images.
class FatBinaryBytes {
 public:
  FatBinaryBytes() {
    append(std::uint32_t{0xba55'ed50});  // The magic number.
    append(std::uint16_t{1});            // The version.
    append(std::uint16_t{16});           // The size of this header in bytes.
    append(std::uint64_t{0});            // The size of all images in bytes.
  }

  FatBinaryBytes& add(const ImageBytes& image) {
    const std::size_t begin = bytes_.size();
    const std::uint64_t padded = (image.payload.size() + 7) / 8 * 8;
    append(image.kind);
    append(std::uint16_t{0x0101});
    append(image.header);
    append(padded);
    const bool compressed = (image.flags & (kLz4Flag | kZstdFlag)) != 0;
    append(compressed ? static_cast<std::uint32_t>(image.payload.size()) : 0U);
    append(std::uint32_t{0});  // The offset of options.
    append(std::uint32_t{0});
    append(image.sm);
    append(std::uint64_t{0});
    append(image.flags);
    append(std::uint64_t{0});
    append(image.unpacked);
    bytes_.resize(begin + image.header);
    for (const char c : image.payload) bytes_.push_back(static_cast<std::byte>(c));
    bytes_.resize(begin + image.header + padded);
    put(8, std::uint64_t{bytes_.size() - 16});
    return *this;
  }

  /// Overwrites the bytes at an offset.
  template <class T>
  void put(std::size_t offset, const T& value) {
    std::memcpy(bytes_.data() + offset, &value, sizeof value);
  }

  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  template <class T>
  void append(const T& value) {
    const auto* const begin = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), begin, begin + sizeof value);
  }

  std::vector<std::byte> bytes_;
};

}  // namespace heddle::cuda
