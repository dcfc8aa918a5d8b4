#pragma once

// The interface of branch policies: they decide when, after a branch, the warp's next instruction
// can be fetched.

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/counters.h"
#include "base/cycle.h"
#include "config/policy_registry.h"
#include "sm/branch/branch_description.h"
#include "sm/ids.h"
#include "sm/instructions/issue_table.h"

namespace heddle::sm {

/// The counters that every policy has.
struct BranchCounters {
  std::uint64_t branches = 0;  ///< Branches that have to be resolved.
  std::uint64_t jumps = 0;     ///< Unguarded branches and calls: their targets are known at decode.

  void declare(CounterList& counters);
};

/// The outcome of a branch.
struct BranchOutcome {
  std::uint32_t pc = 0;    ///< The address of the branch.
  std::uint32_t next = 0;  ///< The address of the warp's next instruction.
  // `taken` and `diverged` are set only for units that predict.
  bool taken = false;     ///< Some threads take the branch.
  bool diverged = false;  ///< Some threads take the branch, and others do not.
  Cycles delay{};         ///< The delay that the operand policy adds to the branch's resolution.
};

/// When the next instruction is fetched after a branch.
struct NextFetch {
  Cycle from;  ///< The earliest cycle of the fetch.
  /// Whether the instruction was fetched together with the branch. It can then issue at `from`.
  bool with_branch = false;
  /// Whether the wrong side was fetched first: the instructions on the side that was predicted.
  bool mispredicted = false;
  // `from` and `with_branch` for the wrong side, if mispredicted:
  Cycle wrong_from{};
  bool wrong_with_branch = false;
};

/// Computes when the fetch begins after a branch whose target is known at decode.
class KnownTargets {
 public:
  explicit KnownTargets(const BranchDescription& description)
      : with_branch_(description.fetches_targets),
        after_issue_(with_branch_ ? 1 : description.jump_cycles) {}

  /// `issue`: the cycle in which the branch issued.
  NextFetch fetch_after(Cycle issue) const {
    return {.from = issue + after_issue_, .with_branch = with_branch_};
  }

 private:
  bool with_branch_;
  Cycles after_issue_;
};

class BranchUnit {
 public:
  BranchUnit() = default;
  BranchUnit(const BranchUnit&) = delete;
  BranchUnit& operator=(const BranchUnit&) = delete;
  virtual ~BranchUnit() = default;

  /// Whether the unit predicts branches. If so, it needs BranchOutcome::taken and ::diverged.
  virtual bool predicts() const { return false; }
  /// Returns when the next instruction is fetched after a branch that has issued at `now`.
  virtual NextFetch next_fetch(WarpSlot warp, const IssueInfo& instruction,
                               const BranchOutcome& outcome, Cycle now) = 0;
  /// Clears all predictor state. Called before another program starts.
  virtual void invalidate() {}
  virtual void declare(CounterList& counters) = 0;
};

struct BranchSeam {
  using Policy = BranchUnit;
  using Description = BranchDescription;
  using Place = BranchDescription;
  using Context = SmDescription;
  using Properties = config::NoProperties;
};
using BranchRegistry = config::PolicyRegistry<BranchSeam>;

/// Throws InputError if the multiprocessor cannot fetch past a branch: if a warp's next instruction
/// is never fetched ahead, or if threads form new warps after each branch. The message names
/// `parameter` as what needs it.
void check_fetches_ahead(const SmDescription& sm, std::string_view parameter);

/// Makes the branch unit of the policy that the description names.
std::unique_ptr<BranchUnit> make_branch_unit(const BranchDescription& description);

}  // namespace heddle::sm
