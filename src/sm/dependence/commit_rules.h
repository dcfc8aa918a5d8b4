#pragma once

// What a scoreboard that commits in order does with which instructions (Xiang, Toward Efficient
// SIMT Execution, section 4.4.2).

#include "sm/issue_table.h"

namespace heddle::sm {

constexpr bool is_store(InstructionKind kind) {
  return kind == InstructionKind::store || kind == InstructionKind::atomic;
}
constexpr bool is_load(InstructionKind kind) {
  return kind == InstructionKind::load || kind == InstructionKind::texture;
}
/// Control has none, and what is executed while the warp stands still.
constexpr bool has_entries(InstructionKind kind) {
  return kind == InstructionKind::arithmetic || is_load(kind) || kind == InstructionKind::atomic;
}

/// Whether nothing of the warp may be under way when it issues: what others can see is done for
/// good. So are barriers and fences: a load from before one, which was given up and is executed
/// again, could see what others have stored after it.
constexpr bool must_be_oldest(const IssueInfo& instruction) {
  return is_store(instruction.kind) || instruction.waits_for_atomics ||
         (!has_entries(instruction.kind) && instruction.writes > 0) ||
         instruction.kind == InstructionKind::barrier ||
         instruction.kind == InstructionKind::fence ||
         instruction.kind == InstructionKind::chip_wide;
}

}  // namespace heddle::sm
