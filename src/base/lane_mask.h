#pragma once

#include <bit>
#include <cstdint>

namespace heddle {

inline constexpr int kWarpSize = 32;

/// A set of the 32 lanes of a warp.
class LaneMask {
 public:
  constexpr LaneMask() = default;
  constexpr explicit LaneMask(std::uint32_t bits) : bits_(bits) {}

  static constexpr LaneMask all() { return LaneMask(~std::uint32_t{0}); }
  static constexpr LaneMask of_lane(int lane) { return LaneMask(std::uint32_t{1} << lane); }
  /// The lanes from 0 to count - 1; all lanes if `count` is 32 or more.
  static constexpr LaneMask first_lanes(int count) {
    return count >= kWarpSize ? all() : LaneMask((std::uint32_t{1} << count) - 1);
  }

  constexpr std::uint32_t bits() const { return bits_; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool full() const { return bits_ == ~std::uint32_t{0}; }
  constexpr int count() const { return std::popcount(bits_); }
  constexpr bool contains(int lane) const { return (bits_ >> lane & 1) != 0; }
  /// The number of the lowest lane; 32 if the set is empty.
  constexpr int lowest() const { return std::countr_zero(bits_); }
  constexpr LaneMask without_lowest() const { return LaneMask(bits_ & (bits_ - 1)); }
  constexpr LaneMask without(LaneMask other) const { return LaneMask(bits_ & ~other.bits_); }

  friend constexpr LaneMask operator&(LaneMask a, LaneMask b) {
    return LaneMask(a.bits_ & b.bits_);
  }
  friend constexpr LaneMask operator|(LaneMask a, LaneMask b) {
    return LaneMask(a.bits_ | b.bits_);
  }
  friend constexpr LaneMask operator^(LaneMask a, LaneMask b) {
    return LaneMask(a.bits_ ^ b.bits_);
  }
  friend constexpr LaneMask operator~(LaneMask a) { return LaneMask(~a.bits_); }
  friend constexpr bool operator==(LaneMask, LaneMask) = default;

 private:
  std::uint32_t bits_ = 0;
};

}  // namespace heddle
