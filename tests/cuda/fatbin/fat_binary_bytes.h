#pragma once

// Builds fat binaries field by field, for tests.

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

struct ImageBytes {
  std::uint16_t kind = kPtxKind;
  std::uint32_t sm = 75;
  std::string payload = "";
  std::uint64_t flags = 0;
  std::uint64_t unpacked = 0;
  std::uint32_t header = 64;
};

class FatBinaryBytes {
 public:
  FatBinaryBytes() {
    append(std::uint32_t{0xba55'ed50});
    append(std::uint16_t{1});
    append(std::uint16_t{16});
    append(std::uint64_t{0});
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
