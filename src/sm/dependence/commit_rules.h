#pragma once

// How a scoreboard that commits in order treats each kind of instruction (Xiang, Toward Efficient
// SIMT Execution, section 4.4.2).

#include "sm/instructions/issue_table.h"

namespace heddle::sm {

constexpr bool is_store(InstructionKind kind) {
  return kind == InstructionKind::store || kind == InstructionKind::atomic;
}
constexpr bool is_load(InstructionKind kind) {
  return kind == InstructionKind::load || kind == InstructionKind::texture;
}
/// Whether instructions of this kind get entries in the scoreboard for their results. Control
/// instructions do not, and neither do instructions that execute while their warp is blocked.
constexpr bool has_entries(InstructionKind kind) {
  return kind == InstructionKind::arithmetic || is_load(kind) || kind == InstructionKind::atomic;
}

/// Whether the instruction issues only when the warp has nothing in flight. This holds for
/// instructions whose effects other threads can see, because such effects cannot be undone. It also
/// holds for fences and, if `barriers_commit`, for barriers: an earlier load that is squashed and
/// executed again could see values that other threads store after the barrier. A barrier that
/// returns a value commits in any case, because it has no entry.
constexpr bool must_be_oldest(const IssueInfo& instruction, bool barriers_commit) {
  if (instruction.kind == InstructionKind::barrier && instruction.writes == 0) {
    return barriers_commit;
  }
  return is_store(instruction.kind) || instruction.waits_for_atomics ||
         (!has_entries(instruction.kind) && instruction.writes > 0) ||
         instruction.kind == InstructionKind::barrier ||
         instruction.kind == InstructionKind::fence ||
         instruction.kind == InstructionKind::chip_wide;
}

}  // namespace heddle::sm
