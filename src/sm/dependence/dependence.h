#pragma once

// The interface of dependence policies, which are scoreboards and simpler rules. They decide when a
// warp's next instruction may issue, given the warp's earlier instructions.

#include <memory>

#include "base/counters.h"
#include "base/cycle.h"
#include "base/lane_mask.h"
#include "config/policy_registry.h"
#include "sm/dependence/dependence_description.h"
#include "sm/dependence/read_check.h"
#include "sm/dependence/register_times.h"
#include "sm/dependence/shared_entries.h"
#include "sm/ids.h"
#include "sm/instructions/issue_table.h"
#include "sm/stalls/wait_reason.h"
#include "sm/units/bypass.h"

namespace heddle::sm {

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
  /// The unit from which a Bypass may forward the results; `control`, which none connects, if it
  /// forwards none of them.
  UnitKind forwarded_from = UnitKind::control;
  /// What dependent instructions wait for until then.
  WaitReason reason = WaitReason::fixed_latency_result;
  std::uint32_t access = 0;  ///< The token by which complete() names the instruction.
  LaneMask lanes{};          ///< The active lanes; set if the policy needs them.
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
  /// cycle. Also called for instructions of a wrong path, which are not reported by issue().
  virtual Readiness ready(WarpSlot warp, const IssueTable& table, const IssueInfo& next,
                          LaneMask lanes, Cycle now) = 0;

  // -- parts that few policies have ---------------------------------------------------------------
  /// The entries that all warps of the sub-core share; null if the policy has none.
  virtual SharedEntries* shared_entries() { return nullptr; }
  /// The check of the values that instructions read; null if they are not checked.
  virtual ReadCheck* read_check() { return nullptr; }
  /// When each register can be read; null if the policy does not record it.
  virtual const RegisterTimes* register_times() const { return nullptr; }

  virtual void declare(CounterList&) {}
};

/// See the functions of DependenceDescription with the same names.
struct DependenceProperties {
  bool holds_fetch = false;
  bool is_one_at_a_time = false;
  bool needs_active_lanes = false;
  bool records_registers = false;
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
