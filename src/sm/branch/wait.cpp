// No prediction: nothing is fetched after a guarded or indirect branch until it is resolved. The
// target of an unguarded branch is known, and fetched, when the branch is decoded (Xiang, Toward
// Efficient SIMT Execution, section 4.4.3).

#include "sm/branch/branch_unit.h"

namespace heddle::sm {
namespace {

class Wait final : public BranchUnit {
 public:
  explicit Wait(const BranchDescription& description)
      : resolve_cycles_(description.resolve_cycles), targets_(description) {}

  NextFetch next_fetch(WarpSlot, const IssueInfo& instruction, const BranchOutcome& outcome,
                       Cycle now) override {
    if (instruction.jumps_always) {
      ++counters_.jumps;
      return targets_.fetch_after(now);
    }
    ++counters_.branches;
    return {.from = now + resolve_cycles_ + outcome.delay};
  }
  void declare(CounterList& counters) override { counters_.declare(counters); }

 private:
  Cycles resolve_cycles_;
  KnownTargets targets_;
  BranchCounters counters_;
};

const BranchRegistry::Entry wait_entry{
    "wait", "fetches nothing until the branch is resolved",
    [](const BranchDescription& description) { return std::make_unique<Wait>(description); }};

}  // namespace
}  // namespace heddle::sm
