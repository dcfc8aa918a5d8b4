#pragma once

// The interface of lookahead policies. While a warp waits for memory, it may run ahead: it executes
// later instructions on a second context, a copy of its registers and control flow. When the wait
// is over, the second context is thrown away. What remains are the lines that its loads have
// fetched and, with some policies, results that the warp reuses (ResultReuse).
//
// A policy decides which waits are used, and what happens to each instruction. LookaheadUnit does
// the rest (sm/lookahead/lookahead_unit.h).

#include <cstdint>
#include <memory>
#include <optional>

#include "base/counters.h"
#include "config/policy_registry.h"
#include "sm/ids.h"
#include "sm/instructions/issue_table.h"
#include "sm/lookahead/lookahead_description.h"
#include "sm/stalls/wait_reason.h"

namespace heddle::sm {

/// Whether instructions of this kind have effects on memory or on other warps, or are executed by
/// the whole chip. They are not executed ahead.
constexpr bool has_effects(InstructionKind kind) {
  switch (kind) {
    case InstructionKind::arithmetic:
    case InstructionKind::load:
    case InstructionKind::branch:
    case InstructionKind::other:
      return false;
    case InstructionKind::store:
    case InstructionKind::atomic:
    case InstructionKind::texture:  // It includes stores to surfaces.
    case InstructionKind::barrier:
    case InstructionKind::fence:
    case InstructionKind::chip_wide:
      return true;
  }
  return true;
}

/// What happens to an instruction ahead.
enum class AheadAction : std::uint8_t {
  /// It issues and is executed on the second context. Not possible for instructions with
  /// has_effects().
  execute,
  /// For a load: it issues and accesses its memory, but its result stays unknown.
  preload,
  /// It does not issue; its results are unknown.
  skip,
  /// The warp goes no further, and only waits.
  halt,
};

/// The next instruction of a second context.
struct AheadInstruction {
  WarpSlot warp = 0;
  std::uint32_t pc = 0;
  std::uint32_t waiting_pc = 0;  ///< The instruction for which the warp waits.
  const IssueInfo& info;
  bool has_all_threads = true;  ///< Whether all threads that have not exited are at it.
  /// How many instructions the warp has issued or skipped on this second context.
  std::uint32_t passed = 0;
};

/// How results ahead are kept, so that the warp can reuse them (ResultReuse).
struct ReuseParameters {
  std::uint32_t rename_registers = 0;
  std::uint32_t queue_entries = 0;  ///< Of each warp.
};

class Lookahead {
 public:
  Lookahead() = default;
  Lookahead(const Lookahead&) = delete;
  Lookahead& operator=(const Lookahead&) = delete;
  virtual ~Lookahead() = default;

  /// The warp begins to wait for memory, until a cycle that is not known yet. Returns whether it
  /// runs ahead until it can issue again.
  virtual bool begins(WarpSlot warp, WaitReason reason) = 0;
  /// What happens to the next instruction. If the unit cannot execute it, because a source is
  /// unknown or the instruction has effects, `execute` and `preload` mean `skip`; a control
  /// instruction that cannot be executed halts the warp.
  virtual AheadAction action(const AheadInstruction& instruction) = 0;
  /// Whether values in memory, except constants, are unknown after this instruction has been
  /// skipped.
  virtual bool hides_memory(const IssueInfo& skipped) const { return has_effects(skipped.kind); }
  /// Whether they are unknown from the start because the warp has atomics in flight.
  virtual bool atomics_hide_memory() const { return true; }
  /// Not present if results are thrown away. The result is the same for each call.
  virtual std::optional<ReuseParameters> reuse() const { return std::nullopt; }
  virtual void declare(CounterList& counters) = 0;
};

struct LookaheadSeam {
  using Policy = Lookahead;
  using Description = LookaheadDescription;
  using Place = LookaheadDescription;
  using Context = SmDescription;
  using Properties = config::NoProperties;
};
using LookaheadRegistry = config::PolicyRegistry<LookaheadSeam>;

/// Makes the policy that the description names; null if no warp runs ahead.
std::unique_ptr<Lookahead> make_lookahead(const LookaheadDescription& description);

}  // namespace heddle::sm
