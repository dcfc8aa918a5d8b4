// A warp that waits for a result from memory runs ahead to fetch lines that it will need: its
// global loads become preloads. This is the P-mode of Kim et al., Warped-Preexecution, section 5.1,
// without the reuse of results (its P-queue). It differs in two ways. Results go to a shadow of the
// warp's registers, not to renamed registers. And the warp halts at barriers instead of going past
// them.

#include "sm/lookahead/lookahead.h"

namespace heddle::sm {
namespace {

struct RunAheadParameters {
  /// In the paper, an offset of at most 512 bytes from the stalled instruction; an instruction has
  /// 8 bytes.
  std::uint32_t reach = 64;

  void declare(config::Declarations& parameters) {
    parameters.number("reach", reach, {.unit = "instructions", .least = 1, .most = 4096},
                      "most instructions that a warp issues or skips ahead during a wait "
                      "('run-ahead')");
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
    list.add({.name = "shadow_registers",
              .bits = "32 * sm.registers",
              .meaning = "a shadow of each register, for results ahead",
              .source = "our assumption; Kim et al. rename 128 registers of a warp instead"});
  }
};

class RunAhead final : public Lookahead {
 public:
  explicit RunAhead(std::uint32_t reach) : reach_(reach) {}

  bool begins(WarpSlot, WaitReason reason) override {
    return reason == WaitReason::long_latency_result;
  }
  AheadAction action(const AheadInstruction& instruction) override {
    if (instruction.passed >= reach_) return AheadAction::halt;
    switch (instruction.info.kind) {
      case InstructionKind::arithmetic:
      case InstructionKind::branch:
      case InstructionKind::other:
        return AheadAction::execute;
      case InstructionKind::load:
        return may_be_global(instruction.info.route) ? AheadAction::preload : AheadAction::execute;
      case InstructionKind::store:
      case InstructionKind::atomic:
      case InstructionKind::texture:
        return AheadAction::skip;
      case InstructionKind::barrier:
      case InstructionKind::fence:
      case InstructionKind::chip_wide:
        return AheadAction::halt;
    }
    return AheadAction::halt;
  }
  void declare(CounterList&) override {}

 private:
  std::uint32_t reach_;
};

const LookaheadRegistry::Entry run_ahead_entry{
    "run-ahead", "a warp that waits for memory runs ahead, and its global loads fetch their lines",
    [](const RunAheadParameters& own, const LookaheadDescription&) {
      return std::make_unique<RunAhead>(own.reach);
    }};

}  // namespace
}  // namespace heddle::sm
