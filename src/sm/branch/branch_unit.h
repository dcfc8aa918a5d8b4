#pragma once

// What follows a branch: when the warp's next fetch can begin.

#include <cstdint>
#include <memory>
#include <string>

#include "base/counters.h"
#include "base/cycle.h"
#include "base/registry.h"
#include "config/declarations.h"
#include "sm/ids.h"
#include "sm/issue_table.h"

namespace heddle::sm {

struct BranchDescription {
  std::string policy = "wait";
  std::uint32_t resolve_cycles = 4;
  std::uint32_t jump_cycles = 1;

  void declare(config::Declarations& parameters);
};

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
};

class BranchUnit {
 public:
  BranchUnit() = default;
  BranchUnit(const BranchUnit&) = delete;
  BranchUnit& operator=(const BranchUnit&) = delete;
  virtual ~BranchUnit() = default;

  /// A branch has issued at `now`: returns the first cycle in which the fetch of what follows can
  /// begin.
  virtual Cycle next_fetch(WarpSlot warp, const IssueInfo& instruction,
                           const BranchOutcome& outcome, Cycle now) = 0;
  virtual void declare(CounterList& counters) = 0;
};

using MakeBranchUnit = std::unique_ptr<BranchUnit> (*)(const BranchDescription&);
using BranchRegistry = Registry<MakeBranchUnit>;

/// The answer that the description names.
std::unique_ptr<BranchUnit> make_branch_unit(const BranchDescription& description);

}  // namespace heddle::sm
