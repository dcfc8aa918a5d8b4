#pragma once

// Values that share registers: a copy and its origin, a whole and its parts.

#include <array>
#include <cstdint>
#include <vector>

#include "code/allocate/live_ranges.h"
#include "code/function.h"

namespace heddle::code {

/// Up to four registers side by side, aligned to their number.
struct Bundle {
  std::uint8_t width = 1;
  std::array<Segments, 4> words;
};

class Bundles {
 public:
  /// One bundle for each virtual register of the class.
  Bundles(const Function& function, RegisterClass register_class, const ValueNumbering& values,
          const LiveRanges& ranges);

  struct Position {
    std::uint32_t bundle = 0;
    std::uint32_t offset = 0;
  };
  /// Where a value lies; only meaningful bundles are ever returned.
  Position find(std::uint32_t value);
  const Bundle& operator[](std::uint32_t bundle) const { return bundles_[bundle]; }

  /// Lets word `word_a` of value `a` and word `word_b` of value `b` be the same register, where
  /// their lives allow it and at most `widest` registers come to lie together.
  bool join(std::uint32_t a, std::uint32_t word_a, std::uint32_t b, std::uint32_t word_b,
            std::uint32_t widest);

 private:
  std::vector<Bundle> bundles_;
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> offset_;  ///< In the parent's bundle.
};

/// Joins what moves, packs and unpacks connect, inner loops first: registers of one class, of
/// which `bundles` are.
void coalesce(const Function& function, RegisterClass register_class, Bundles& bundles);

}  // namespace heddle::code
