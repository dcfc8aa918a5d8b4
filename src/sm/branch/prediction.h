#pragma once

// Base class of the units that predict branches (Xiang, Toward Efficient SIMT Execution, section
// 4.4.3).

#include <cstdint>

#include "sm/branch/branch_unit.h"

namespace heddle::sm {

/// Counts issued branches. Branches that are conditional and do not diverge are counted as correct
/// or mispredicted.
struct PredictionCounters {
  BranchCounters all;
  std::uint64_t diverged = 0;
  std::uint64_t unpredicted = 0;  ///< Indirect branches, such as returns.
  std::uint64_t backward_correct = 0;
  std::uint64_t backward_mispredicted = 0;
  std::uint64_t forward_correct = 0;
  std::uint64_t forward_mispredicted = 0;

  void declare(CounterList& counters);
};

/// For predicting policies without parameters of their own: adds only the check.
struct PredictionParameters {
  /// Throws InputError if the multiprocessor cannot fetch past a branch (check_fetches_ahead()):
  /// then no predicted instruction could be fetched.
  static void check(const SmDescription& sm);
};

/// After a conditional branch (IssueInfo::is_conditional), the predicted side is fetched at once.
/// If that is the wrong side, the warp drops the fetched instructions when the branch is resolved.
///
/// A warp that diverges at a branch executes both sides. The fetched side is then needed in any
/// case, so a branch that diverges is never mispredicted. When the fetched side reaches the first
/// execution stage, it is known which threads are on that side.
class Prediction : public BranchUnit {
 public:
  explicit Prediction(const BranchDescription& description)
      : resolve_cycles_(description.resolve_cycles), targets_(description) {}

  bool predicts() const final { return true; }
  NextFetch next_fetch(WarpSlot warp, const IssueInfo& instruction, const BranchOutcome& outcome,
                       Cycle now) final;
  void declare(CounterList& counters) final { counters_.declare(counters); }

 private:
  /// Predicts whether a conditional branch is taken. Only an oracle may read outcome.taken.
  virtual bool predict(WarpSlot warp, const IssueInfo& instruction, const BranchOutcome& outcome,
                       Cycle now) = 0;
  /// Reports that the branch which was predicted last is resolved at `at`. `taken`: the outcome,
  /// or, if the branch diverges, the prediction.
  virtual void update(WarpSlot /*warp*/, bool /*taken*/, Cycle /*at*/) {}

  Cycles resolve_cycles_;  ///< From the issue of a branch until it is resolved.
  KnownTargets targets_;
  PredictionCounters counters_;
};

}  // namespace heddle::sm
