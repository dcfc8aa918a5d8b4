#pragma once

// Placements for hardware whose warps share one pool of operand-file (ORF) words. At the beginning
// of each strand (a part of the code that begins with empty upper levels), a warp takes a number of
// entries (words per thread) from the pool (Gebhart's dissertation on on-chip storage for
// throughput processors, section 6.6.1).
//
// The compiler makes a placement for each number of entries, and computes the energy that each
// placement saves in each strand. The hardware chooses the number by these energies, which the
// dissertation stores in the strand's header.

#include <array>
#include <cstdint>
#include <vector>

#include "code/function.h"
#include "code/placement/hierarchy.h"
#include "code/placement/placement.h"

namespace heddle::code {

/// The maximum number of entries that a warp can take for a strand (section 6.6.1).
inline constexpr std::uint32_t kMaxPooledEntries = 8;

/// The energy that the placements of a strand are expected to save, from its beginning to the
/// beginning of another strand. All paths of a branch count as equally likely.
struct StrandSavings {
  /// The expected number of instructions that are executed; 0: no strand begins here.
  double instructions = 0;
  /// By number of entries: the energy saved per thread, compared with keeping all values in the
  /// main register file.
  std::array<double, kMaxPooledEntries + 1> saved{};

  friend bool operator==(const StrandSavings&, const StrandSavings&) = default;
};

/// A function's placements for each number of entries that a warp may take from the pool.
struct PooledPlacement {
  /// By number of entries, from 0 to Hierarchy::operand_entries (inclusive), then by instruction.
  /// All placements begin strands and suspend warps at the same instructions; only the values'
  /// places differ.
  std::vector<std::vector<InstructionPlacement>> by_entry_count;
  std::vector<StrandSavings> strand_savings;  ///< By instruction: of the strand that begins there.
};

/// Places the values of an allocated function for each number of entries. `hierarchy` must have
/// variable_entries.
PooledPlacement place_pooled(const Function& function, const Hierarchy& hierarchy);

}  // namespace heddle::code
