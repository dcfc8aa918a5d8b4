#pragma once

// Placements for hardware that gives a warp more or fewer words of the operand file, strand by
// strand (Gebhart's dissertation on on-chip storage for throughput processors, section 6.6.1): one
// for each number of words, and what that number saves in each strand, which the paper has in the
// strand's header.

#include <array>
#include <cstdint>
#include <vector>

#include "code/function.h"
#include "code/placement/hierarchy.h"
#include "code/placement/placement.h"

namespace heddle::code {

/// The most words that a strand is given (section 6.6.1).
inline constexpr std::uint32_t kMostPooledEntries = 8;

/// Of a strand, from its beginning until another begins. Where control parts, each way counts as
/// equally likely.
struct StrandWorth {
  double instructions = 0;  ///< 0: no strand begins here.
  /// By entries: energy of a thread, compared with everything in the main file.
  std::array<double, kMostPooledEntries + 1> saved{};

  friend bool operator==(const StrandWorth&, const StrandWorth&) = default;
};

struct PooledPlacement {
  /// By entries, from none to Hierarchy::operand_entries, and then by instruction. They differ in
  /// places alone: strands begin where they begin.
  std::vector<std::vector<InstructionPlacement>> by_entries;
  std::vector<StrandWorth> worth;  ///< By instruction.
};

/// Of an allocated function, for Hierarchy::variable_entries.
PooledPlacement place_pooled(const Function& function, const Hierarchy& hierarchy);

}  // namespace heddle::code
