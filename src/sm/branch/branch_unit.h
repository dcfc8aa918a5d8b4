#pragma once

// What follows a branch: when the warp's next fetch can begin.

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/counters.h"
#include "base/cycle.h"
#include "config/answer_registry.h"
#include "sm/branch/branch_description.h"
#include "sm/ids.h"
#include "sm/issue_table.h"

namespace heddle::sm {

/// What every answer counts.
struct BranchCounters {
  std::uint64_t branches = 0;
  std::uint64_t jumps = 0;

  void declare(CounterList& counters);
};

/// What became of a branch.
struct BranchOutcome {
  std::uint32_t pc = 0;    ///< Of the branch.
  std::uint32_t next = 0;  ///< Where the warp goes on.
  // For units that predict:
  bool taken = false;     ///< By some of its threads.
  bool diverged = false;  ///< And not by others.
  Cycles late{};          ///< By how much its operands delay its resolution.
};

/// What is fetched after a branch.
struct NextFetch {
  Cycle from;  ///< Of the warp's next instruction, at the earliest.
  /// It has been fetched with the branch, in time to issue at `from`.
  bool with_branch = false;
  bool mispredicted = false;  ///< The other side was fetched first.
  Cycle wrong_from{};         ///< As `from`, of that side.
  bool wrong_with_branch = false;
};

/// What is fetched after branches whose target is known as they are decoded.
class KnownTargets {
 public:
  explicit KnownTargets(const BranchDescription& description)
      : with_branch_(description.fetches_targets),
        after_issue_(with_branch_ ? 1 : description.jump_cycles) {}

  NextFetch after(Cycle issue) const {
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

  /// Whether it predicts, and wants to know of which threads took a branch.
  virtual bool predicts() const { return false; }
  /// A branch has issued at `now`.
  virtual NextFetch next_fetch(WarpSlot warp, const IssueInfo& instruction,
                               const BranchOutcome& outcome, Cycle now) = 0;
  /// Another program: what it has learnt is of no more use.
  virtual void invalidate() {}
  virtual void declare(CounterList& counters) = 0;
};

struct BranchSeam {
  using Answer = BranchUnit;
  using Description = BranchDescription;
  using Place = BranchDescription;
  using Context = SmDescription;
  using Properties = config::NoProperties;
};
using BranchRegistry = config::AnswerRegistry<BranchSeam>;

/// Throws InputError, which names the parameter, where a warp's next instruction is not fetched
/// ahead, or threads change their warps at a branch.
void check_fetches_ahead(const SmDescription& sm, std::string_view parameter);

/// The answer that the description names.
std::unique_ptr<BranchUnit> make_branch_unit(const BranchDescription& description);

}  // namespace heddle::sm
