#pragma once

// Coalescing: bundles of values that share registers, such as a copy and its source, or a wide
// value and its parts.

#include <array>
#include <cstdint>
#include <vector>

#include "code/allocate/live_ranges.h"
#include "code/function.h"

namespace heddle::code {

/// Up to four adjacent registers, aligned to their number, and the live range of each word.
struct Bundle {
  std::uint8_t width = 1;
  std::array<Segments, 4> words;
};

class Bundles {
 public:
  /// Makes one bundle for each virtual register of the class.
  Bundles(const Function& function, RegisterClass register_class, const ValueNumbering& values,
          const LiveRanges& ranges);

  struct Position {
    std::uint32_t bundle = 0;
    std::uint32_t offset = 0;
  };
  /// The bundle that holds a value, and the value's offset in it.
  Position find(std::uint32_t value);
  const Bundle& operator[](std::uint32_t bundle) const { return bundles_[bundle]; }

  /// Joins the bundles of two values so that word `word_a` of value `a` and word `word_b` of value
  /// `b` are in the same register. Returns false if their live ranges overlap, or if the bundle
  /// would exceed `widest` registers.
  bool join(std::uint32_t a, std::uint32_t word_a, std::uint32_t b, std::uint32_t word_b,
            std::uint32_t widest);

 private:
  std::vector<Bundle> bundles_;
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> offset_;  ///< In the parent's bundle.
};

/// Joins registers of one class that moves, packs and unpacks connect, inner loops first.
void coalesce(const Function& function, RegisterClass register_class, Bundles& bundles);

}  // namespace heddle::code
