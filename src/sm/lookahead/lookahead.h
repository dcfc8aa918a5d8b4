#pragma once

// The interface of lookahead policies. While a warp waits for memory, it may run ahead: it executes
// later instructions on a second context, a copy of its registers and control flow. When the wait
// is over, the second context is thrown away. What remains are the lines that its loads have
// fetched.
//
// A policy decides which waits are used, and what happens to each instruction. LookaheadUnit does
// the rest (sm/lookahead/lookahead_unit.h).

#include <cstdint>
#include <memory>

#include "base/counters.h"
#include "config/policy_registry.h"
#include "sm/ids.h"
#include "sm/instructions/issue_table.h"
#include "sm/lookahead/lookahead_description.h"
#include "sm/stalls/wait_reason.h"

namespace heddle::sm {

/// What happens to an instruction ahead.
enum class AheadAction : std::uint8_t {
  /// It issues and is executed on the second context. Only arithmetic instructions, loads, control
  /// instructions and others without effects on memory or on other warps can be executed.
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
  const IssueInfo& info;
  /// How many instructions the warp has issued or skipped on this second context.
  std::uint32_t passed = 0;
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
