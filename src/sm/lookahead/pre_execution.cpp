// A warp that waits for a result from memory executes later instructions that do not depend on it,
// and afterwards reuses their results. This is the P-mode of Kim et al., Warped-Preexecution,
// sections 5 to 5.2. docs/timing/pre-execution.md lists what the paper leaves open.

#include <algorithm>

#include "sm/lookahead/lookahead.h"

namespace heddle::sm {
namespace {

struct PreExecutionParameters {
  std::uint32_t rename_registers = 128;
  std::uint32_t queue_entries = 8;
  bool preload_local = false;

  void declare(config::Declarations& parameters) {
    parameters.number("rename_registers", rename_registers,
                      {.unit = "warp registers", .least = 0, .most = 128},
                      "last registers of the multiprocessor that take results ahead while no block "
                      "uses them ('pre-execution')");
    parameters.number("queue_entries", queue_entries, {.least = 0, .most = 32},
                      "results ahead that a warp can reuse after a wait; with 0 it only preloads "
                      "('pre-execution')");
    parameters.flag("preload_local", preload_local,
                    "whether loads of local memory ahead fetch their lines, like loads of global "
                    "memory; otherwise they are skipped ('pre-execution')");
  }
  static void storage(config::StorageList& list) {
    list.add({.name = "ahead_stacks",
              .bits = "sm.warps * 8 * (32 + 2 * 32)",
              .meaning = "a second reconvergence stack of 8 entries for each warp",
              .source = "Kim et al., section 5.3"});
    list.add({.name = "ahead_scoreboard",
              .bits = "sm.warps * 2 * sm.registers_per_thread",
              .meaning = "a second scoreboard: two bits for each register of each warp",
              .source = "Kim et al., section 5.3: 126 bits a warp of 63 registers"});
    list.add({.name = "ahead_queues",
              .bits =
                  "sm.warps * (lookahead.queue_entries * 37 + 2 * bits(lookahead.queue_entries) "
                  "+ 32)",
              .meaning = "a queue of results ahead for each warp, with its head, tail and base",
              .source = "Kim et al., sections 5.1 and 5.3"});
    list.add({.name = "renaming_tables",
              .bits = "sm.warps * 2 * 63 * (7 + 1)",
              .meaning = "63 entries for each context of a warp: a register and whether it is used",
              .source = "Kim et al., section 5.3"});
    list.add({.name = "renaming_registers_free",
              .bits = "lookahead.rename_registers",
              .meaning = "which renaming registers are free",
              .source = "Kim et al., sections 5.1 and 5.3"});
  }
};

/// The bytes before and after the waiting instruction that a queue's entry can address: its offset
/// has 10 bits (section 5.1).
constexpr std::int64_t kReach = 512;
constexpr std::int64_t kInstructionBytes = 8;

class PreExecution final : public Lookahead {
 public:
  explicit PreExecution(const PreExecutionParameters& parameters) : parameters_(parameters) {}

  bool begins(WarpSlot, WaitReason reason) override {
    return reason == WaitReason::long_latency_result;
  }
  AheadAction action(const AheadInstruction& instruction) override {
    // The waiting instruction is released for execution when the wait is over (section 5.2).
    if (instruction.passed == 0 || !is_in_reach(instruction)) return AheadAction::skip;
    const IssueInfo& info = instruction.info;
    switch (info.kind) {
      case InstructionKind::arithmetic:
      case InstructionKind::branch:
      case InstructionKind::other:
        return AheadAction::execute;
      case InstructionKind::load:
        return action_of_load(info);
      case InstructionKind::barrier:
        // If only some threads wait at a barrier, the others continue first.
        return instruction.has_all_threads ? AheadAction::skip : AheadAction::halt;
      case InstructionKind::store:
      case InstructionKind::atomic:
      case InstructionKind::texture:
      case InstructionKind::fence:
      case InstructionKind::chip_wide:
        return AheadAction::skip;
    }
    return AheadAction::halt;
  }
  /// Values in shared memory are unknown after a skipped store to it, and when other warps' stores
  /// may have become visible. (Other memory is only preloaded, and constants do not change.)
  bool hides_memory(const IssueInfo& skipped) const override {
    switch (skipped.kind) {
      case InstructionKind::store:
      case InstructionKind::atomic:
        return skipped.route == MemoryRoute::shared || skipped.route == MemoryRoute::generic;
      case InstructionKind::barrier:
      case InstructionKind::fence:
      case InstructionKind::chip_wide:
        return true;
      case InstructionKind::arithmetic:
      case InstructionKind::load:
      case InstructionKind::texture:
      case InstructionKind::branch:
      case InstructionKind::other:
        return false;
    }
    return true;
  }
  bool atomics_hide_memory() const override { return false; }  // They are on global memory.
  std::optional<ReuseParameters> reuse() const override {
    return ReuseParameters{.rename_registers = parameters_.rename_registers,
                           .queue_entries = parameters_.queue_entries};
  }
  void declare(CounterList&) override {}

 private:
  static bool is_in_reach(const AheadInstruction& instruction) {
    const std::int64_t offset =
        (std::int64_t{instruction.pc} - instruction.waiting_pc) * kInstructionBytes;
    return -kReach <= offset && offset < kReach;
  }
  AheadAction action_of_load(const IssueInfo& info) const {
    switch (info.route) {
      case MemoryRoute::global:
      case MemoryRoute::generic:
        return AheadAction::preload;
      case MemoryRoute::local:
        return parameters_.preload_local ? AheadAction::preload : AheadAction::skip;
      case MemoryRoute::shared:
        return info.sees_other_threads ? AheadAction::skip : AheadAction::execute;
      case MemoryRoute::constant:
      case MemoryRoute::none:
        return AheadAction::execute;
    }
    return AheadAction::skip;
  }

  PreExecutionParameters parameters_;
};

const LookaheadRegistry::Entry pre_execution_entry{
    "pre-execution",
    "a warp that waits for memory executes later instructions, and reuses their results",
    [](const PreExecutionParameters& own, const LookaheadDescription&) {
      return std::make_unique<PreExecution>(own);
    }};

}  // namespace
}  // namespace heddle::sm
