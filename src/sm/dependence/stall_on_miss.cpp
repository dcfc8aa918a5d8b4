#include "sm/dependence/one_at_a_time.h"

namespace heddle::sm {
namespace {

/// A core without a scoreboard (Xiang, Toward Efficient SIMT Execution, section 4.4): issuing an
/// instruction clears the warp's ready bit, and its write-back sets it again. Destinations are not
/// recorded, so a warp does not know whether its next instruction is independent. A load that
/// misses therefore stalls the warp at the load, not at the use of its result (sections 4.1 and
/// 4.4.3).
///
/// This policy differs from `barrel` in two points. First, the next instruction waits in the
/// instruction buffer, already decoded. Second, an instruction that writes no register has no
/// write-back: an atomic without a result does not stall its warp, even if its completion time is
/// unknown.
class StallOnMiss : public OneAtATime {
 public:
  void issue(WarpSlot warp, const IssueTable&, const IssueInfo& instruction,
             const Issued& issued) override {
    const bool needs_no_write_back = instruction.writes == 0 && issued.done == Cycle::never();
    wait(warp, needs_no_write_back ? issued.at + Cycles(1) : issued.done, issued.reason);
  }
  void complete(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
                std::uint32_t access, Cycle done) override {
    if (instruction.writes > 0) OneAtATime::complete(warp, table, instruction, access, done);
  }
};

/// StallOnMiss with a bypass. Dependences are not known. So if the bypass connects the units of the
/// two instructions, the second issues earlier, whether or not it depends on the first.
class StallOnMissWithBypass final : public StallOnMiss {
 public:
  explicit StallOnMissWithBypass(const Bypass& bypass) : bypass_(bypass) {}

  void issue(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
             const Issued& issued) override {
    StallOnMiss::issue(warp, table, instruction, issued);
    last_[warp] = {issued.forwarded_from, issued.computed};
  }
  Readiness ready(WarpSlot warp, const IssueTable& table, const IssueInfo& next, LaneMask lanes,
                  Cycle now) override {
    Readiness readiness = StallOnMiss::ready(warp, table, next, lanes, now);
    const Last& last = last_[warp];
    if (bypass_.connects(last.forwarded_from, next.unit)) {
      readiness.at = bypass_.earliest_issue(last.forwarded_from, next.unit, last.computed);
    }
    return readiness;
  }
  void start(WarpSlot warp, const IssueTable& table) override {
    StallOnMiss::start(warp, table);
    last_[warp] = {};
  }

 private:
  /// The warp's last instruction.
  struct Last {
    UnitKind forwarded_from = UnitKind::control;
    Cycle computed{};
  };

  Bypass bypass_;
  std::array<Last, kMaxWarps> last_{};
};

struct StallOnMissParameters {
  static DependenceProperties properties(const DependenceDescription&) {
    return {.is_one_at_a_time = true};
  }
};

const DependenceRegistry::Entry stall_on_miss_entry{
    "stall-on-miss",
    "no scoreboard: a warp's next instruction, decoded, waits for the previous one's write-back",
    [](const StallOnMissParameters&, const DependencePlace& place) -> std::unique_ptr<Dependence> {
      if (place.bypass.is_present()) return std::make_unique<StallOnMissWithBypass>(place.bypass);
      return std::make_unique<StallOnMiss>();
    }};

}  // namespace
}  // namespace heddle::sm
