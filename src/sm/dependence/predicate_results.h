#pragma once

// When each predicate of a warp can be read, for a scoreboard whose entries hold registers only.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cycle.h"
#include "sm/ids.h"
#include "sm/instructions/issue_table.h"
#include "sm/instructions/unit_kind.h"
#include "sm/stalls/wait_reason.h"

namespace heddle::sm {

class PredicateResults {
 public:
  /// The last result of a predicate. The members are those of Issued.
  struct Result {
    Cycle done{};
    Cycle computed{};
    UnitKind forwarded_from = UnitKind::control;
    WaitReason reason = WaitReason::fixed_latency_result;
  };

  static bool is_predicate(std::uint16_t reg) { return reg >= kFirstPredicate; }
  /// The registers in a list of registers and predicates, in which predicates are the last.
  static std::span<const std::uint16_t> registers_in(std::span<const std::uint16_t> list) {
    while (!list.empty() && is_predicate(list.back())) list = list.first(list.size() - 1);
    return list;
  }

  PredicateResults() : warps_(kMaxWarps) {}

  /// Starts a new warp, whose predicates can be read.
  void start(WarpSlot warp) { warps_[warp] = {}; }
  /// `predicate`: its number in the IssueTable.
  Result& of(WarpSlot warp, std::uint16_t predicate) {
    return warps_[warp][predicate - kFirstPredicate];
  }

 private:
  using OfWarp = std::array<Result, kScoreboardEntries - kFirstPredicate>;
  std::vector<OfWarp> warps_;
};

}  // namespace heddle::sm
