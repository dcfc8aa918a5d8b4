#include "sm/dependence/one_at_a_time.h"

namespace heddle::sm {
namespace {

/// A core without a scoreboard (Xiang, Toward Efficient SIMT Execution, section 4.4): issuing an
/// instruction clears the warp's ready bit, and its write-back sets it again. Without a record of
/// destinations a warp does not know whether its next instruction is independent, so a load that
/// misses stalls the warp at once, at the load and not at its use (sections 4.1 and 4.4.3).
///
/// Two things set it apart from a barrel. The next instruction waits in the instruction buffer,
/// already decoded. And what writes no register has nothing to come back for: a reduction that is
/// still on its way to memory, without a time, stalls no warp.
class StallOnMiss : public OneAtATime {
 public:
  void issue(WarpSlot warp, const IssueTable&, const IssueInfo& instruction,
             const Issued& issued) override {
    const bool is_gone = instruction.writes == 0 && issued.done == Cycle::never();
    wait(warp, is_gone ? issued.at + Cycles(1) : issued.done, issued.cause);
  }
  void complete(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
                std::uint32_t access, Cycle done) override {
    if (instruction.writes > 0) OneAtATime::complete(warp, table, instruction, access, done);
  }
};

/// The same with a bypass. Which instruction depends on which is not known: so the next one comes
/// sooner wherever results could be passed on to it.
class StallOnMissWithBypass final : public StallOnMiss {
 public:
  explicit StallOnMissWithBypass(const Bypass& bypass) : bypass_(bypass) {}

  void issue(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
             const Issued& issued) override {
    StallOnMiss::issue(warp, table, instruction, issued);
    last_[warp] = {instruction.unit, issued.computed};
  }
  Readiness ready(WarpSlot warp, const IssueTable& table, const IssueInfo& next, LaneMask lanes,
                  Cycle now) override {
    Readiness readiness = StallOnMiss::ready(warp, table, next, lanes, now);
    const Last& last = last_[warp];
    if (bypass_.joins(last.unit, next.unit)) {
      readiness.at = bypass_.passes_on(last.unit, next.unit, last.computed);
    }
    return readiness;
  }
  void start(WarpSlot warp, const IssueTable& table) override {
    StallOnMiss::start(warp, table);
    last_[warp] = {};
  }

 private:
  struct Last {
    UnitKind unit = UnitKind::control;
    Cycle computed{};
  };

  Bypass bypass_;
  std::array<Last, kMostWarps> last_{};
};

const DependenceRegistry::Entry stall_on_miss_entry{
    "stall-on-miss", "without a scoreboard: a warp waits, decoded, for the write-back of its last",
    [](const DependencePlace& place) -> std::unique_ptr<Dependence> {
      if (place.bypass.any()) return std::make_unique<StallOnMissWithBypass>(place.bypass);
      return std::make_unique<StallOnMiss>();
    }};

}  // namespace
}  // namespace heddle::sm
