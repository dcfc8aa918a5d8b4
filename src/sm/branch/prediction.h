#pragma once

// Base of the units that predict branches (Xiang, Toward Efficient SIMT Execution, section 4.4.3).

#include <cstdint>

#include "sm/branch/branch_unit.h"

namespace heddle::sm {

struct PredictionCounters {
  BranchCounters all;
  std::uint64_t diverged = 0;
  std::uint64_t unpredicted = 0;
  std::uint64_t backward_correct = 0;
  std::uint64_t backward_mispredicted = 0;
  std::uint64_t forward_correct = 0;
  std::uint64_t forward_mispredicted = 0;

  void declare(CounterList& counters);
};

/// The parameters of a policy that has none of its own.
struct PredictionParameters {
  /// Throws InputError if a warp's next instruction is not fetched ahead, or if threads change
  /// their warps at a branch: nothing could be predicted there.
  static void check(const SmDescription& sm);
};

/// After a branch both of whose targets are known at decode, the predicted side is fetched at once.
/// If that was the wrong side, the instructions fetched for this warp are dropped when the branch
/// is resolved.
///
/// A warp that diverges at a branch executes both sides, so the fetched side is always needed, and
/// no such branch is mispredicted. Which threads are on the fetched side is known when that side
/// reaches the first execution stage.
class Prediction : public BranchUnit {
 public:
  explicit Prediction(const BranchDescription& description)
      : resolve_(description.resolve_cycles), targets_(description) {}

  bool predicts() const final { return true; }
  NextFetch next_fetch(WarpSlot warp, const IssueInfo& instruction, const BranchOutcome& outcome,
                       Cycle now) final;
  void declare(CounterList& counters) final { counters_.declare(counters); }

 private:
  /// Predicts whether a conditional branch is taken. Only an oracle may use `outcome`.
  virtual bool predict(WarpSlot warp, const IssueInfo& instruction, const BranchOutcome& outcome,
                       Cycle now) = 0;
  /// Reports that the branch that was predicted last is resolved at `at`, as taken or not. If the
  /// branch diverges, `taken` is the prediction.
  virtual void update(WarpSlot /*warp*/, bool /*taken*/, Cycle /*at*/) {}

  Cycles resolve_;
  KnownTargets targets_;
  PredictionCounters counters_;
};

}  // namespace heddle::sm
