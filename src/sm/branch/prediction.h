#pragma once

// What units that predict branches have in common: Xiang, Toward Efficient SIMT Execution, section
// 4.4.3.

#include <cstdint>

#include "sm/branch/branch_unit.h"

namespace heddle::sm {

struct PredictionCounters {
  BranchCounters all;
  std::uint64_t diverged = 0;
  std::uint64_t unpredicted = 0;
  std::uint64_t backward_right = 0;
  std::uint64_t backward_wrong = 0;
  std::uint64_t forward_right = 0;
  std::uint64_t forward_wrong = 0;

  void declare(CounterList& counters);
};

/// Of an answer that has no others.
struct PredictionParameters {
  /// Throws InputError where a warp's next instruction is not fetched ahead, or threads change
  /// their warps at a branch: nothing is to be predicted there.
  static void check(const SmDescription& sm);
};

/// A branch whose two ways are known when it is decoded is followed at once to where it is
/// predicted to go. What was fetched wrongly is given up as the branch is resolved, of this warp
/// alone. A branch that parts its warp is followed by either side in any case: as the fetched side
/// comes to the first execution stage, it is known which threads it has. It never costs anything,
/// whatever was predicted.
class Prediction : public BranchUnit {
 public:
  explicit Prediction(const BranchDescription& description)
      : resolve_(description.resolve_cycles), targets_(description) {}

  bool predicts() const final { return true; }
  NextFetch next_fetch(WarpSlot warp, const IssueInfo& instruction, const BranchOutcome& outcome,
                       Cycle now) final;
  void declare(CounterList& counters) final { counters_.declare(counters); }

 private:
  /// Whether a conditional branch is going to be taken. Only an oracle looks at what became of it.
  virtual bool predict(WarpSlot warp, const IssueInfo& instruction, const BranchOutcome& outcome,
                       Cycle now) = 0;
  /// The one that was predicted last is resolved at `at`: as taken or not; one that parts its warp
  /// as what was predicted.
  virtual void learn(WarpSlot /*warp*/, bool /*taken*/, Cycle /*at*/) {}

  Cycles resolve_;
  KnownTargets targets_;
  PredictionCounters counters_;
};

}  // namespace heddle::sm
