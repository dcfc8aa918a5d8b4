#pragma once

// The interface of dependence policies, which are scoreboards and simpler rules. They decide when a
// warp's next instruction may issue, given the warp's earlier instructions.

#include <memory>

#include "base/counters.h"
#include "base/cycle.h"
#include "base/lane_mask.h"
#include "config/policy_registry.h"
#include "sm/dependence/dependence_description.h"
#include "sm/ids.h"
#include "sm/pipeline/issue_table.h"
#include "sm/units/bypass.h"
#include "sm/warps/wait_reason.h"

namespace heddle::sm {

struct StaticWarp;

/// When an instruction may issue.
struct Readiness {
  /// The first cycle in which the instruction may issue; never() while it waits for an instruction
  /// whose completion time is not known yet.
  Cycle at = Cycle::never();
  WaitReason reason = WaitReason::fixed_latency_result;  ///< What it waits for until then.
  /// Whether `at` may be another cycle for other lanes than those in the call of ready().
  bool depends_on_lanes = false;
};

/// When an instruction has issued, and when its results are available.
struct Issued {
  Cycle at;        ///< The issue of its last pass.
  Cycle done;      ///< When its results can be used; never() if complete() will report it.
  Cycle computed;  ///< `done` without conflicts at write ports; for a Bypass.
  /// What dependent instructions wait for until then.
  WaitReason reason = WaitReason::fixed_latency_result;
  std::uint32_t access = 0;  ///< The token by which complete() names the instruction.
  LaneMask lanes{};          ///< The active lanes; set if needs_active_lanes().
};

class Dependence {
 public:
  Dependence() = default;
  Dependence(const Dependence&) = delete;
  Dependence& operator=(const Dependence&) = delete;
  virtual ~Dependence() = default;

  /// Starts a new warp of the table's program, with nothing in flight.
  virtual void start(WarpSlot warp, const IssueTable& table) = 0;
  /// Reports that an instruction has issued.
  virtual void issue(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
                     const Issued& issued) = 0;
  /// Reports the completion of an instruction that issued with an unknown completion time: its
  /// results can be used from `done` on. `access`: its Issued::access.
  virtual void complete(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
                        std::uint32_t access, Cycle done) = 0;
  /// Returns when the warp's next instruction may issue if `lanes` execute it. `now` is the current
  /// cycle.
  virtual Readiness ready(WarpSlot warp, const IssueTable& table, const IssueInfo& next,
                          LaneMask lanes, Cycle now) = 0;

  /// Whether a warp's instruction may issue before the previous one has written its results.
  virtual bool overlaps() const { return true; }
  /// Reports that the instruction in the last call of ready() will not issue: it was on a wrong
  /// path, and the warp continues elsewhere.
  virtual void give_up(WarpSlot /*warp*/) {}

  /// Whether the policy needs Issued::lanes. They are known only if each warp slot contains a
  /// single static warp (32 threads with consecutive numbers).
  virtual bool needs_active_lanes() const { return false; }
  /// Whether the policy checks the values that instructions read. If so, begin() must be called.
  virtual bool checks_values() const { return false; }
  /// Reports, before it is executed, the instruction that the warp issues now. The warp consists of
  /// `static_warp`.
  virtual void begin(WarpSlot, const IssueTable&, const IssueInfo&, const StaticWarp&,
                     Cycle /*now*/) {}

  /// Whether the policy has a structure that all warps share and that may be full.
  virtual bool is_shared() const { return false; }
  /// The members of `ready` whose next instruction finds no space in the shared structure at `now`.
  virtual WarpSet stuck_warps(WarpSet /*ready*/, Cycle /*now*/) { return 0; }
  /// The first cycle after `now` in which one of the stuck warps may find space. A completion may
  /// free space earlier.
  virtual Cycle next_space(WarpSet /*stuck*/, Cycle /*now*/) { return Cycle::never(); }
  /// Whether the shared structure has space at `now` for an instruction of the warp's wrong path.
  virtual bool has_space(WarpSlot, const IssueTable&, const IssueInfo&, Cycle /*now*/) {
    return true;
  }
  /// Counts cycles in which warps found no space, summed over warps.
  virtual void count_stuck(std::uint64_t /*warp_cycles*/) {}

  virtual void declare(CounterList&) {}
};

struct DependenceProperties {
  bool holds_fetch = false;  ///< See DependenceDescription::holds_fetch().
};

/// What a policy is made from.
struct DependencePlace {
  const DependenceDescription& description;
  Bypass bypass{};
};

struct DependenceSeam {
  using Policy = Dependence;
  using Description = DependenceDescription;
  using Place = DependencePlace;
  using Context = DependenceContext;
  using Properties = DependenceProperties;
};
using DependenceRegistry = config::PolicyRegistry<DependenceSeam>;

/// Makes the policy that the description names.
std::unique_ptr<Dependence> make_dependence(const DependenceDescription& description,
                                            const Bypass& bypass = {});

}  // namespace heddle::sm
