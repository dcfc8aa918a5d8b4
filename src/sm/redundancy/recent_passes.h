#pragma once

// The passes that a multiprocessor has computed last. (A pass is a set of threads in different
// lanes that go through a unit together.) With them, a pass is recognised that computes what an
// earlier one has computed: the same instruction, with the same values in the same lanes.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/lane_mask.h"
#include "sm/redundancy/pass_values.h"

namespace heddle::sm {

struct ComputedPass {
  // The instruction. The results of an instruction also depend on the parameters of its launch, so
  // different launches have different instructions.
  LaunchKey launch{};
  std::uint32_t pc = 0;
  // The threads.
  LaneMask active{};
  /// For each active lane, the number of the thread's static warp; 0 for the other lanes. No two
  /// static warps of a multiprocessor have the same number.
  std::array<std::uint32_t, kWarpSize> static_warps{};
  /// A row for each register and predicate that is read, then one for each that is written. A row
  /// has a value for each active lane, lowest lane first.
  std::vector<std::uint32_t> values{};

  /// Whether both compute the same.
  bool equals(const ComputedPass& other) const {
    return pc == other.pc && active == other.active && launch == other.launch &&
           values == other.values;
  }
};

/// Which recent pass computed the same.
enum class EqualPass : std::uint8_t {
  none,
  of_same_warp,   ///< Only passes in which the same static warps have the same lanes.
  of_other_warp,  ///< A pass in which another static warp has at least one of the lanes.
};

class RecentPasses {
 public:
  /// `length`: the number of passes that are kept, at least 1.
  explicit RecentPasses(std::size_t length);

  /// Finds a kept pass that computed the same. Then keeps the pass instead of the oldest one.
  /// Afterwards `pass` has any contents, and memory that the caller's next pass can use.
  EqualPass add(ComputedPass& pass);

 private:
  struct Kept {
    ComputedPass pass;
    std::uint64_t hash = 0;
    std::uint64_t previous = 0;  ///< The number of the pass before it in the same bucket.
  };

  bool is_kept(std::uint64_t number) const {
    return number != 0 && number + kept_.size() > newest_;
  }
  EqualPass find(const ComputedPass& pass, std::uint64_t hash) const;
  std::size_t bucket_of(std::uint64_t hash) const { return hash & (newest_of_bucket_.size() - 1); }

  // Passes are numbered from 1 on; a pass is at its number modulo the length. A chain of passes
  // ends at the first one that is no longer kept.
  std::vector<Kept> kept_;
  std::uint64_t newest_ = 0;
  std::vector<std::uint64_t> newest_of_bucket_;
};

}  // namespace heddle::sm
