#pragma once

// Coalescing: puts values into the same registers, so that no instruction needs to copy them. Such
// values form a bundle, for example a copy and its source, or a wide value and its parts.

#include <array>
#include <cstdint>
#include <vector>

#include "code/allocate/live_ranges.h"
#include "code/function.h"

namespace heddle::code {

/// Up to four adjacent registers and the live range of each. The first register's number is a
/// multiple of `width`.
struct Bundle {
  std::uint8_t width = 1;
  std::array<Segments, 4> words;
};

class Bundles {
 public:
  /// Makes one bundle for each virtual register of the class.
  Bundles(const Function& function, RegisterClass register_class, const ValueNumbering& values,
          const LiveRanges& ranges);

  /// The place of a value.
  struct Position {
    std::uint32_t bundle = 0;  ///< Index of the bundle.
    std::uint32_t offset = 0;  ///< The value's first register in the bundle.
  };
  /// The bundle that contains a virtual register of the class, given by its index.
  Position find(std::uint32_t reg);
  const Bundle& operator[](std::uint32_t bundle) const { return bundles_[bundle]; }

  /// Joins the bundles of two virtual registers so that word `word_a` of `a` and word `word_b` of
  /// `b` are in the same physical register. Returns false, and changes nothing, if live ranges in
  /// the two bundles overlap, if the words would not be aligned, or if the joined bundle would be
  /// wider than `max_width` registers.
  bool join(std::uint32_t a, std::uint32_t word_a, std::uint32_t b, std::uint32_t word_b,
            std::uint32_t max_width);

 private:
  std::vector<Bundle> bundles_;
  // A union-find forest, by virtual register; each tree is a bundle, with the index of its root.
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> offset_;  ///< The first register, counted from the parent's first.
};

/// Joins the registers of one class that moves, packs and unpacks connect, where possible. Inner
/// loops come first.
void coalesce(const Function& function, RegisterClass register_class, Bundles& bundles);

}  // namespace heddle::code
