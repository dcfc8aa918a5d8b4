#pragma once

// The two sizes of the measure of locality: both are powers of two, from 2^0 to 2^14.

#include <cassert>
#include <cstddef>
#include <cstdint>

namespace heddle::locality {

/// The largest exponent of a size.
inline constexpr int kMaxBits = 14;
/// The number of sizes of neighbourhoods, and of windows.
inline constexpr std::size_t kSizes = kMaxBits + 1;
/// The largest window, in accesses.
inline constexpr std::uint64_t kLargestWindow = std::uint64_t{1} << kMaxBits;

/// The size of a neighbourhood: 2^bits bytes.
class NeighbourhoodBits {
 public:
  explicit constexpr NeighbourhoodBits(int bits) : bits_(bits) {
    assert(bits >= 0 && bits <= kMaxBits);
  }
  constexpr int bits() const { return bits_; }
  constexpr std::size_t index() const { return static_cast<std::size_t>(bits_); }
  constexpr std::uint64_t bytes() const { return std::uint64_t{1} << bits_; }

 private:
  int bits_;
};

/// The size of a window: the next 2^bits accesses.
class WindowBits {
 public:
  explicit constexpr WindowBits(int bits) : bits_(bits) { assert(bits >= 0 && bits <= kMaxBits); }
  constexpr int bits() const { return bits_; }
  constexpr std::size_t index() const { return static_cast<std::size_t>(bits_); }
  constexpr std::uint64_t accesses() const { return std::uint64_t{1} << bits_; }

 private:
  int bits_;
};

}  // namespace heddle::locality
