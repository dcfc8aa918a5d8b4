#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace heddle::exec {

/// A filter like a Bloom filter: says whether a line of memory may have been stored to. It keeps
/// the range of all stores, and one bit for each of many classes of lines; a hash determines a
/// line's class. Everything is inlined, since code of exec/lanes calls it (see lanes.h).
class StoreFilter {
 public:
  static constexpr std::uint64_t kLineBytes = 128;

  [[gnu::always_inline]] bool may_have(std::uint64_t line) const {
    const std::uint32_t in_class = class_of(line);
    return (words_[in_class / 64] >> (in_class % 64) & 1) != 0;
  }
  /// Whether one of 32 accesses may be to a line that was stored to. No access crosses a line's
  /// end.
  [[gnu::always_inline]] bool may_have_any(const std::uint64_t* addresses) const {
    // The top bit is set for addresses below or above the range.
    std::uint64_t outside = ~std::uint64_t{0};
    for (int lane = 0; lane < 32; ++lane) {
      outside &= (addresses[lane] - begin_) | (last_ - addresses[lane]);
    }
    if (outside >> 63 != 0) return false;
    std::uint64_t found = 0;
    for (int lane = 0; lane < 32; ++lane) {
      const std::uint32_t in_class = class_of(addresses[lane] / kLineBytes);
      found |= words_[in_class / 64] >> (in_class % 64);
    }
    return (found & 1) != 0;
  }
  /// Whether one of the bytes may have been stored to.
  [[gnu::always_inline]] bool may_have_range(std::uint64_t address, std::uint64_t bytes) const {
    const std::uint64_t last = (address + bytes - 1) / kLineBytes;
    bool found = false;
    for (std::uint64_t line = address / kLineBytes; line <= last; ++line) found |= may_have(line);
    return found;
  }

  void add(std::uint64_t line) {
    const std::uint32_t in_class = class_of(line);
    words_[in_class / 64] |= std::uint64_t{1} << (in_class % 64);
    begin_ = std::min(begin_, line * kLineBytes);
    last_ = std::max(last_, line * kLineBytes + (kLineBytes - 1));
  }
  /// Makes the filter empty. `lines` must be all lines that were added.
  void clear(std::span<const std::uint64_t> lines) {
    for (const std::uint64_t line : lines) words_[class_of(line) / 64] = 0;
    begin_ = kNoBegin;
    last_ = 0;
  }

 private:
  // Enough classes that the 32 lines of a scattered access rarely collide with the few hundred
  // lines of an epoch's stores.
  static constexpr int kClassBits = 15;
  // The beginning of the empty range. The top bit of addresses is 0, so the top bit of a difference
  // says which address is lower.
  static constexpr std::uint64_t kNoBegin = ~std::uint64_t{0} >> 1;

  /// Multiplicative hashing: 2^32 over the golden ratio spreads lines, and arrays whose distance is
  /// a power of two. A 32-bit product, which every vector unit supports, is enough for 512 GiB.
  [[gnu::always_inline]] static std::uint32_t class_of(std::uint64_t line) {
    return static_cast<std::uint32_t>(line) * 0x9e3779b1u >> (32 - kClassBits);
  }

  std::uint64_t begin_ = kNoBegin;
  std::uint64_t last_ = 0;
  std::uint64_t words_[(1 << kClassBits) / 64] = {};
};

}  // namespace heddle::exec
