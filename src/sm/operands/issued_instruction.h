#pragma once

#include <cstddef>
#include <span>

#include "sm/ids.h"
#include "sm/instructions/issue_table.h"
#include "sm/operands/register_selection.h"
#include "sm/threads/static_warp.h"

namespace heddle::sm {

struct IssuedInstruction {
  WarpSlot warp = 0;
  const IssueTable& table;
  const IssueInfo& info;
  /// The registers that are accessed in the register file or in levels above it. A redundancy
  /// policy may exclude others.
  AccessedRegisters accessed{};

  /// Whether the element `i` of table.reads(info) is a register that is accessed.
  bool is_read(std::size_t i) const {
    return table.reads(info)[i] < kFirstPredicate && accessed.reads.contains(i);
  }
  /// Whether the element `i` of table.writes(info) is a register that is accessed.
  bool is_written(std::size_t i) const {
    return table.writes(info)[i] < kFirstPredicate && accessed.writes.contains(i);
  }
};

/// A pass, which issues, of an instruction that has been executed. (A pass is a set of threads in
/// different lanes that go through a unit together.) Its threads belong to one or more of
/// `static_warps`.
struct IssuedPass : IssuedInstruction {
  std::span<const StaticWarp> static_warps;  ///< All static warps of the instruction.
  const Pass& pass;
  std::size_t number = 0;  ///< The number of the pass in the instruction, from 0 on.
};

}  // namespace heddle::sm
