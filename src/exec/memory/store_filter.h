#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace heddle::exec {

/// A filter, similar to a Bloom filter, that tells whether a line of memory may have been stored
/// to. A hash of a line's number determines its class, and the filter has one bit for each class.
/// It also has the range of the addresses of all stores. The functions are always inlined, because
/// code of exec/lanes calls them (see exec/lanes/lanes.h).
class StoreFilter {
 public:
  static constexpr std::uint64_t kLineBytes = 128;

  /// Whether the line may have been stored to. `line` is its number: address / kLineBytes.
  [[gnu::always_inline]] bool may_have(std::uint64_t line) const {
    const std::uint32_t in_class = class_of(line);
    return (bits_[in_class / 64] >> (in_class % 64) & 1) != 0;
  }
  /// Whether any of the 32 addresses may be in a line that was stored to. The access at an address
  /// must not cross the end of its line.
  [[gnu::always_inline]] bool may_have_any(const std::uint64_t* addresses) const {
    // The top bit of the result is set if all addresses are below or above the range of the stores.
    std::uint64_t outside = ~std::uint64_t{0};
    for (int lane = 0; lane < 32; ++lane) {
      outside &= (addresses[lane] - begin_) | (last_ - addresses[lane]);
    }
    if (outside >> 63 != 0) return false;
    std::uint64_t found = 0;
    for (int lane = 0; lane < 32; ++lane) {
      const std::uint32_t in_class = class_of(addresses[lane] / kLineBytes);
      found |= bits_[in_class / 64] >> (in_class % 64);
    }
    return (found & 1) != 0;
  }
  /// Whether any line of a range of `bytes` bytes may have been stored to.
  [[gnu::always_inline]] bool may_have_range(std::uint64_t address, std::uint64_t bytes) const {
    const std::uint64_t last = (address + bytes - 1) / kLineBytes;
    bool found = false;
    for (std::uint64_t line = address / kLineBytes; line <= last; ++line) found |= may_have(line);
    return found;
  }

  void add(std::uint64_t line) {
    const std::uint32_t in_class = class_of(line);
    bits_[in_class / 64] |= std::uint64_t{1} << (in_class % 64);
    begin_ = std::min(begin_, line * kLineBytes);
    last_ = std::max(last_, line * kLineBytes + (kLineBytes - 1));
  }
  /// Makes the filter empty. `lines` must be all lines that were added.
  void clear(std::span<const std::uint64_t> lines) {
    for (const std::uint64_t line : lines) bits_[class_of(line) / 64] = 0;
    begin_ = kNoBegin;
    last_ = 0;
  }

 private:
  // The binary logarithm of the number of classes. With so many classes, the 32 lines of a
  // scattered access rarely share a class with one of the few hundred lines that are stored to in
  // an epoch.
  static constexpr int kClassBits = 15;
  // The start of the empty range. The top bit of addresses is 0. The top bit of the difference of
  // two addresses therefore tells which of them is lower.
  static constexpr std::uint64_t kNoBegin = ~std::uint64_t{0} >> 1;

  /// The class of a line, by multiplicative hashing. The factor, 2^32 divided by the golden ratio,
  /// distributes lines evenly over the classes, even those of arrays at a distance that is a power
  /// of two. The product has only 32 bits, because every vector unit supports that. Line numbers of
  /// 32 bits are enough for 512 GiB of memory.
  [[gnu::always_inline]] static std::uint32_t class_of(std::uint64_t line) {
    return static_cast<std::uint32_t>(line) * 0x9e3779b1u >> (32 - kClassBits);
  }

  std::uint64_t begin_ = kNoBegin;  ///< The lowest address in the lines that were stored to.
  std::uint64_t last_ = 0;          ///< The highest address in these lines.
  std::uint64_t bits_[(1 << kClassBits) / 64] = {};
};

}  // namespace heddle::exec
