#pragma once

// The unit that lets warps run ahead. It has the second contexts of the multiprocessor's warps, and
// executes instructions on them.
//
// A warp has a second context from the cycle in which it begins to wait for memory until the cycle
// in which it can issue again. Then the context is thrown away. Whatever of it is still in flight
// changes nothing: results of units have been written to the shadow's registers, and the memory
// stage drops completions of its loads (ContextKind::ahead).

#include <cstdint>
#include <memory>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "exec/block/shadow_warp.h"
#include "sm/branch/branch_unit.h"
#include "sm/ids.h"
#include "sm/lookahead/ahead_registers.h"
#include "sm/lookahead/lookahead.h"
#include "sm/memory/memory_stage.h"
#include "sm/sub_cores/sub_cores.h"
#include "sm/threads/static_warp.h"
#include "sm/warps/warp_table.h"

namespace heddle::sm {

/// The parts of the multiprocessor that instructions ahead use.
struct LookaheadParts {
  const SmDescription& description;
  const Cycle& now;
  const WarpTable& warps;
  SubCores& sub_cores;
  MemoryStage& memory;
};

class LookaheadUnit {
 public:
  LookaheadUnit(std::unique_ptr<Lookahead> policy, const LookaheadParts& parts);

  /// The warp begins to wait for memory. It is `static_warp`, whose next instruction is that of the
  /// slot. If the warp is running ahead already, it continues.
  void begin(WarpSlot warp, const StaticWarp& static_warp, WaitReason reason);

  // -- in a cycle: what can issue -----------------------------------------------------------------
  /// Whether any warp has a second context.
  bool has_any() const { return ahead_ != 0; }
  /// Called once in each simulated cycle, before any warp issues. Throws away the contexts of warps
  /// that are ready to issue normally, and lets the others skip the instructions that are to be
  /// skipped. Returns the warps whose next instruction ahead can issue now, if it finds space.
  WarpSet due_warps();
  /// The first cycle after `now` in which an instruction may issue ahead or be skipped; never() if
  /// there is none.
  Cycle next(Cycle now) const;
  /// The instruction that a warp in due_warps() issues ahead.
  const IssueInfo& next_instruction(WarpSlot warp) const;
  /// Picks one of `eligible`, which must not be empty and whose members belong to one scheduler:
  /// that which issued ahead least recently.
  WarpSlot pick(WarpSet eligible) const;
  /// Issues the next instruction ahead of a warp in due_warps().
  void issue(WarpSlot warp);

  /// Declares the counters of the unit and of the policy. The prefix is that of the multiprocessor.
  void declare(CounterList& counters);

 private:
  struct Context {
    exec::ShadowWarp shadow;
    AheadRegisters registers;
    HardwareWarpId hardware_warp = 0;
    std::uint32_t passed = 0;  ///< How many instructions have issued or been skipped.
    /// Whether an instruction that may write memory has been skipped or is in flight, so that
    /// values in memory are unknown.
    bool is_memory_stale = false;
    // The next instruction:
    AheadAction action = AheadAction::halt;
    Cycle at;                ///< When it can issue or be skipped.
    std::uint64_t turn = 0;  ///< The number of the warp's last issue ahead, of all warps.
  };
  struct Counters {
    std::uint64_t contexts = 0;
    std::uint64_t warp_instructions = 0;
    std::uint64_t thread_instructions = 0;
    std::uint64_t loads = 0;
    std::uint64_t skipped = 0;

    void declare(CounterList& counters);
  };

  const IssueTable& table_of(WarpSlot warp) const { return warps_[warp].grid->table; }
  void copy_registers(WarpSlot warp, Context& context);
  AheadAction action_of(WarpSlot warp, const Context& context, const IssueInfo& info) const;
  void find_next(WarpSlot warp, Context& context, Cycle fetched);
  void skip(WarpSlot warp, Context& context);
  void advance(WarpSlot warp, Context& context, std::uint32_t from_pc, Cycle from);
  Cycle after_branch(const IssueInfo& info) const;
  bool execute_arithmetic(WarpSlot warp, Context& context, const IssueInfo& info);
  bool execute_load(WarpSlot warp, Context& context, const IssueInfo& info);
  static void set_results(const IssueTable& table, const IssueInfo& info, Context& context,
                          Cycle at);
  void halt(WarpSlot warp) { going_ &= ~set_of(warp); }

  std::unique_ptr<Lookahead> policy_;
  const Cycle& now_;
  const WarpTable& warps_;
  SubCores& sub_cores_;
  MemoryStage& memory_;
  Cycles switch_cycles_;
  Cycles pipeline_length_;  ///< The latency of an integer instruction.
  Cycles resolve_cycles_;   ///< From the issue of a branch until it is resolved.
  KnownTargets targets_;
  std::vector<Context> contexts_;  ///< By slot.
  WarpSet ahead_ = 0;              ///< The warps that have a second context.
  WarpSet going_ = 0;              ///< Those of them that have not halted.
  std::uint64_t turns_ = 0;
  Counters counters_;
};

/// Makes the unit for the policy that the description names; null if no warp runs ahead.
std::unique_ptr<LookaheadUnit> make_lookahead_unit(const LookaheadParts& parts);

}  // namespace heddle::sm
