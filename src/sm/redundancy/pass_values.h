#pragma once

// The threads of a pass and what their registers hold: before an instruction is executed the values
// that it reads, afterwards those that it has written.

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/lane_mask.h"
#include "sm/ids.h"
#include "sm/issue_table.h"
#include "sm/pipeline/travellers.h"
#include "sm/warp_table.h"

namespace heddle::sm {

class PassValues {
 public:
  /// Pass `number` of the instruction that the warp issues, whose threads are of `rows`.
  PassValues(WarpSlot warp, const Slot& slot, std::span<const Row> rows, const Pass& pass,
             std::size_t number);

  // -- the instruction ----------------------------------------------------------------------------
  WarpSlot warp() const { return warp_; }
  std::uint32_t pc() const { return slot_.pc; }
  const IssueInfo& instruction() const { return *slot_.next; }
  /// Its operation, and its operands in their order, immediates included.
  const code::Instruction& code() const { return any_context_->code[slot_.pc]; }
  // Registers and predicates, in the numbering of an IssueTable.
  std::span<const std::uint16_t> reads() const { return slot_.grid->table.reads(instruction()); }
  std::span<const std::uint16_t> writes() const { return slot_.grid->table.writes(instruction()); }

  // -- its threads --------------------------------------------------------------------------------
  /// Those on the path.
  LaneMask lanes() const { return lanes_; }
  /// Those of them that the guard lets execute it.
  LaneMask active() const { return active_; }
  /// The row that the thread in a lane is of, by its number on the multiprocessor.
  std::uint32_t home(int lane) const { return row(lane).home; }

  // -- their values -------------------------------------------------------------------------------
  /// What a register or a predicate holds for a lane on the path.
  std::uint32_t value(std::uint16_t number, int lane) const {
    const exec::LaneContext& context = row(lane).warp->context;
    if (number >= kFirstPredicate) {
      return context.predicate({std::uint32_t{number} - kFirstPredicate, false}) >> lane & 1;
    }
    return context.row({exec::RowRef::Base::registers, number})[lane];
  }
  /// Whether it holds the same for all active lanes.
  bool same_in_all_lanes(std::uint16_t number) const;
  /// Of an instruction that has accessed memory: where an active lane did.
  std::uint64_t address(int lane) const {
    return row(lane).warp->context.address()[static_cast<std::size_t>(lane)];
  }

 private:
  const Row& row(int lane) const {
    assert(lanes_.contains(lane));
    return *rows_[static_cast<std::size_t>(lane)];
  }

  WarpSlot warp_;
  const Slot& slot_;
  const exec::LaneContext* any_context_;
  LaneMask lanes_;
  LaneMask active_;
  std::array<const Row*, kWarpSize> rows_{};  ///< By lane.
};

}  // namespace heddle::sm
