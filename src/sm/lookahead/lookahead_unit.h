#pragma once

// The unit that lets warps run ahead. It has the second contexts of the multiprocessor's warps, and
// executes instructions on them.
//
// A warp has a second context from the cycle in which it begins to wait for memory until the cycle
// in which it can issue again. Then the context is thrown away. Whatever of it is still in flight
// does not change the normal context: results of units have been written to the shadow's registers,
// and the memory stage reports completions of its loads (ContextKind::ahead) only to this unit.
//
// If the policy reuses results, ResultReuse keeps them. The functions that the normal context calls
// are in lookahead_reuse.cpp. lookahead_fetch.cpp has the way from one instruction to the next, and
// lookahead_stalls.cpp what prevents issue.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "exec/block/shadow_warp.h"
#include "sm/branch/branch_unit.h"
#include "sm/hazards/structural_hazards.h"
#include "sm/ids.h"
#include "sm/lookahead/ahead_registers.h"
#include "sm/lookahead/ahead_stalls.h"
#include "sm/lookahead/lookahead.h"
#include "sm/lookahead/result_reuse.h"
#include "sm/memory/memory_stage.h"
#include "sm/residency/resident_blocks.h"
#include "sm/schedule/warp_schedulers.h"
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
  const ResidentBlocks& residents;  ///< Not used before the first cycle.
};

class LookaheadUnit final : private AheadLoads {
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
  /// The first cycle after `now` in which an instruction may issue ahead or be skipped, or comes to
  /// the instruction buffer; never() if there is none.
  Cycle next(Cycle now) const;
  /// The instruction that a warp in due_warps() issues ahead.
  const IssueInfo& next_instruction(WarpSlot warp) const;
  /// Whether a warp in due_warps() finds a register for each result of its next instruction.
  bool has_registers(WarpSlot warp) {
    return reuse_ == nullptr || reuse_->has_registers(results_of(warp).size(), now_);
  }
  /// Picks one of `eligible`, which must not be empty and whose members belong to one scheduler:
  /// that which issued ahead least recently.
  WarpSlot pick(WarpSet eligible) const;
  /// Issues the next instruction ahead of a warp in due_warps().
  void issue(WarpSlot warp);
  /// Counts `cycles` cycles from `now` on in which the scheduler issues nothing, because its warps
  /// wait for memory. Until then, no warp ahead issues, or gets its next instruction.
  void count_stalled(const SchedulerState& scheduler, const StructuralHazards& hazards,
                     std::uint64_t cycles);

  // -- results that the normal context reuses -----------------------------------------------------
  // Called only if LookaheadDescription::reuses_results().
  /// The warp continues at the instruction of its slot, at `from` at the earliest. If that does not
  /// come from the front end's buffer, returns the first cycle in which it can issue: it is reused,
  /// or must be fetched again.
  std::optional<Cycle> supply(WarpSlot warp, Cycle from);
  /// Whether the warp's next instruction is reused. If so, it is not executed, but only renames its
  /// results.
  bool is_reusing(WarpSlot warp) const { return reuse_->is_reusing(warp); }
  /// The reused instruction has issued now. `executed` has the values that it would have computed.
  /// Returns when its results can be read.
  Cycle reuse(WarpSlot warp, const exec::Warp& executed) {
    reuse_->count_until(now_);
    contexts_[warp].issued_pc = warps_[warp].pc;
    warps_.trace().reuse(now_, warp, warps_[warp].pc);
    return reuse_->reuse(warp, executed, now_);
  }
  /// An instruction that is not reused issues on the normal context. Called before its execution.
  void observe_issue(WarpSlot warp, const exec::Warp& executing);
  /// The warp has executed its last instruction.
  void end_warp(WarpSlot warp);
  /// Blocks have taken registers of the multiprocessor, or freed them.
  void observe_blocks();

  /// Declares the counters of the unit and of the policy. The prefix is that of the multiprocessor.
  void declare(CounterList& counters);

 private:
  struct Context {
    exec::ShadowWarp shadow;
    AheadRegisters registers;
    HardwareWarpId hardware_warp = 0;
    std::uint32_t waiting_pc = 0;  ///< The instruction for which the warp waits.
    std::uint32_t passed = 0;      ///< How many instructions have issued or been skipped.
    /// Whether an instruction that may write memory has been skipped or is in flight, so that
    /// values in memory are unknown.
    bool is_memory_stale = false;
    // The next instruction:
    AheadAction action = AheadAction::halt;
    Cycle from;     ///< When it can issue at the earliest, because of the one before.
    Cycle fetched;  ///< When it is in the instruction buffer; never() if not known yet.
    /// When it can issue or be skipped; AheadRegisters::pending(), or never() if it is not fetched.
    Cycle at;
    std::uint64_t turn = 0;  ///< The number of the warp's last issue ahead, of all warps.
    // If results are reused:
    std::uint64_t number = 0;     ///< Counts the second contexts of the slot, and its warps.
    std::uint32_t issued_pc = 0;  ///< The last instruction that the normal context has issued.
    /// Which instructions of the normal context's buffer were not fetched, because they are to be
    /// reused. Bit i stands for the instruction i after the next one.
    std::uint64_t unfetched = 0;
  };
  /// A load ahead whose completion time is not known.
  struct PendingLoad {
    MemoryStage::Token token = 0;
    WarpSlot warp = 0;
    std::uint64_t context = 0;  ///< Context::number.
    std::uint32_t pc = 0;
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
  /// The results of the warp's next instruction ahead for which it needs registers: none if it only
  /// preloads.
  std::span<const std::uint16_t> results_of(WarpSlot warp) const {
    return contexts_[warp].action == AheadAction::execute
               ? table_of(warp).writes(next_instruction(warp))
               : std::span<const std::uint16_t>();
  }
  void complete_ahead(MemoryStage::Token token, Cycle at) override;
  void drop_unfetched(WarpSlot warp, Context& context);
  bool can_reuse(WarpSlot warp, Context& context, const IssueInfo& info);
  void end_contexts(WarpSet warps);
  void copy_registers(WarpSlot warp, Context& context);
  AheadAction action_of(WarpSlot warp, const Context& context, const IssueInfo& info) const;
  static bool has_all_threads(const Context& context, LaneMask lanes) {
    return context.shadow.live().without(lanes).empty();
  }
  void find_next(WarpSlot warp, Context& context, Cycle from);
  void update_time(WarpSlot warp, Context& context);
  void fetch(WarpSlot warp, Context& context);
  void skip(WarpSlot warp, Context& context);
  void advance(WarpSlot warp, Context& context, std::uint32_t from_pc, Cycle from);
  Cycle after_branch(const IssueInfo& info) const;
  bool execute_arithmetic(WarpSlot warp, Context& context, const IssueInfo& info);
  Cycle read_operands(const IssuedInstruction& issued, const Context& context);
  bool execute_load(WarpSlot warp, Context& context, const IssueInfo& info);
  AheadStall stall_of(WarpSlot warp, const SchedulerState& scheduler,
                      const StructuralHazards& hazards) const;
  static void set_results(const IssueTable& table, const IssueInfo& info, Context& context,
                          Cycle at);
  void halt(WarpSlot warp) { going_ &= ~set_of(warp); }

  std::unique_ptr<Lookahead> policy_;
  std::unique_ptr<ResultReuse> reuse_;  ///< Null if results are thrown away.
  const Cycle& now_;
  const WarpTable& warps_;
  SubCores& sub_cores_;
  MemoryStage& memory_;
  const ResidentBlocks& residents_;
  Cycles switch_cycles_;
  Cycles pipeline_length_;  ///< The latency of an integer instruction.
  Cycles resolve_cycles_;   ///< From the issue of a branch until it is resolved.
  KnownTargets targets_;
  std::vector<Context> contexts_;  ///< By slot.
  WarpSet ahead_ = 0;              ///< The warps that have a second context.
  WarpSet going_ = 0;              ///< Those of them that have not halted.
  std::uint64_t turns_ = 0;
  std::vector<PendingLoad> pending_loads_;
  Counters counters_;
  AheadStalls stalls_;
};

/// Makes the unit for the policy that the description names; null if no warp runs ahead.
std::unique_ptr<LookaheadUnit> make_lookahead_unit(const LookaheadParts& parts);

}  // namespace heddle::sm
