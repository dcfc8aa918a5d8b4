#pragma once

// The threads of a pass, and the values of their registers. A pass is a set of threads in different
// lanes that go through a unit together. Before an instruction is executed, its source registers
// have the values that it reads. Afterwards, its destination registers have the values that it
// wrote.

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/lane_mask.h"
#include "sm/ids.h"
#include "sm/instructions/issue_table.h"
#include "sm/threads/static_warp.h"
#include "sm/warps/warp_table.h"

namespace heddle::sm {

/// The most passes of an instruction: a block has at most 32 static warps.
inline constexpr std::size_t kMaxPasses = 32;

/// Identifies a launch among those of all programs that run side by side.
struct LaunchKey {
  const code::Program* program = nullptr;
  std::uint64_t grid_id = 0;  ///< exec::Launch::grid_id
  friend bool operator==(const LaunchKey&, const LaunchKey&) = default;
};

class PassValues {
 public:
  /// `pass`: a pass of the instruction that the warp issues. `number`: its number, from 0 on.
  /// `static_warps`: all static warps whose threads execute the instruction.
  PassValues(WarpSlot warp, const Slot& slot, std::span<const StaticWarp> static_warps,
             const Pass& pass, std::size_t number);

  // -- the instruction ----------------------------------------------------------------------------
  WarpSlot warp() const { return warp_; }
  LaunchKey launch() const {
    return {.program = slot_.grid->launch->program, .grid_id = slot_.grid->launch->grid_id};
  }
  std::uint32_t pc() const { return slot_.pc; }
  const IssueInfo& instruction() const { return *slot_.next; }
  /// The decoded instruction: operation, and operands in order, immediates included.
  const code::Instruction& code() const { return any_context_->code[slot_.pc]; }
  // The numbers, in the numbering of an IssueTable, of the registers and predicates that it reads
  // and of those that it writes.
  std::span<const std::uint16_t> reads() const { return slot_.grid->table.reads(instruction()); }
  std::span<const std::uint16_t> writes() const { return slot_.grid->table.writes(instruction()); }

  // -- the threads --------------------------------------------------------------------------------
  /// The lanes of the pass's threads.
  LaneMask lanes() const { return lanes_; }
  /// Those of lanes() for which the instruction's guard holds.
  LaneMask active() const { return active_; }
  /// The hardware warp of the thread in a lane.
  HardwareWarpId hardware_warp(int lane) const { return static_warp(lane).hardware_warp; }

  // -- the values ---------------------------------------------------------------------------------
  /// The current value of a register or predicate in a lane of lanes(). A predicate is 0 or 1.
  std::uint32_t value(std::uint16_t number, int lane) const {
    const exec::WarpContext& context = static_warp(lane).warp->context;
    if (number >= kFirstPredicate) {
      return context.predicate({std::uint32_t{number} - kFirstPredicate, false}) >> lane & 1;
    }
    return context.lanes({exec::OperandRef::Base::registers, number})[lane];
  }
  /// The current value of a register operand of one or two 32-bit registers.
  std::uint64_t register_value(const code::Operand& operand, int lane) const {
    const auto number = static_cast<std::uint16_t>(operand.index);
    std::uint64_t found = value(number, lane);
    if (operand.width == 2) {
      found |= std::uint64_t{value(static_cast<std::uint16_t>(number + 1), lane)} << 32;
    }
    return found;
  }
  // These two change a value, as an injected fault does. The pass must be of one static warp; the
  // lane may be any.
  void set_value(std::uint16_t number, int lane, std::uint32_t value) const;
  /// Inverts a bit of a register, or a predicate.
  void flip(std::uint16_t number, int lane, std::uint32_t bit) const;
  /// The values of the warp's special registers.
  const exec::WarpIdentity& identity() const { return *any_context_->identity; }
  /// Whether the register or predicate has the same value in all active lanes.
  bool is_uniform(std::uint16_t number) const;
  /// The address that an active lane of an executed memory instruction accessed.
  std::uint64_t address(int lane) const {
    return static_warp(lane).warp->context.address()[static_cast<std::size_t>(lane)];
  }

 private:
  const StaticWarp& static_warp(int lane) const {
    assert(lanes_.contains(lane));
    return only_ != nullptr ? *only_ : *static_warps_[static_cast<std::size_t>(lane)];
  }

  WarpSlot warp_;
  const Slot& slot_;
  const exec::WarpContext* any_context_;
  LaneMask lanes_;
  LaneMask active_;
  const StaticWarp* only_;  ///< The static warp of all threads; null if they belong to several.
  std::array<const StaticWarp*, kWarpSize> static_warps_;  ///< By lane, if `only_` is null.
};

}  // namespace heddle::sm
