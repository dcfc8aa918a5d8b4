#pragma once

// Interface of dependence policies (scoreboards and simpler rules): when a warp's next instruction
// may issue, given the warp's earlier instructions.

#include <memory>

#include "base/counters.h"
#include "base/cycle.h"
#include "base/lane_mask.h"
#include "config/policy_registry.h"
#include "sm/dependence/dependence_description.h"
#include "sm/ids.h"
#include "sm/pipeline/issue_table.h"
#include "sm/stalls/stall_cause.h"
#include "sm/units/bypass.h"

namespace heddle::sm {

struct StaticWarp;

struct Readiness {
  /// The first cycle in which the instruction may issue; never() while it waits for an instruction
  /// whose completion time is not known yet.
  Cycle at = Cycle::never();
  StallCause cause = StallCause::wait;  ///< The cause of the stall until then.
  /// Whether `at` may be different for lanes other than those that ready() was called with.
  bool depends_on_lanes = false;
};

/// When an instruction has issued, and when its results are available.
struct Issued {
  Cycle at;        ///< The issue of its last pass.
  Cycle done;      ///< When its results can be used; never(): complete() will report that.
  Cycle computed;  ///< Like `done`, but without conflicts at write ports; used by a Bypass.
  StallCause cause = StallCause::wait;  ///< The stall cause of dependent instructions until then.
  std::uint32_t access = 0;             ///< Identifies the instruction in a call to complete().
  LaneMask lanes{};                     ///< Lanes that execute it, if needs_active_lanes().
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
  /// Reports that the results of an instruction that issued without a known completion time can be
  /// used from `done` on.
  virtual void complete(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
                        std::uint32_t access, Cycle done) = 0;
  /// Returns when the warp's next instruction may issue, if `lanes` execute it. `now` is the
  /// present cycle.
  virtual Readiness ready(WarpSlot warp, const IssueTable& table, const IssueInfo& next,
                          LaneMask lanes, Cycle now) = 0;

  /// Whether a warp's instruction may issue before the previous one has written its results.
  virtual bool overlaps() const { return true; }
  /// Reports that the instruction that ready() was last called for will not issue, because the warp
  /// continues elsewhere.
  virtual void give_up(WarpSlot /*warp*/) {}

  /// Whether the policy needs Issued::lanes. It may need them only if each warp is a static warp.
  virtual bool needs_active_lanes() const { return false; }
  /// Whether the policy checks the values of instructions, and begin() must be called.
  virtual bool checks_values() const { return false; }
  /// An instruction of the warp, which is `static_warp`, issues and will be executed next.
  virtual void begin(WarpSlot, const IssueTable&, const IssueInfo&, const StaticWarp&,
                     Cycle /*now*/) {}

  /// Whether the policy has a structure that all warps share, so that a warp may find it full.
  virtual bool is_shared() const { return false; }
  /// The warps of `ready` for whose next instruction the shared structure has no room at `now`.
  virtual WarpSet stuck(WarpSet /*ready*/, Cycle /*now*/) { return 0; }
  /// The first cycle after `now` in which one of the stuck warps may find room. A completion may
  /// make room earlier.
  virtual Cycle next_room(WarpSet /*stuck*/, Cycle /*now*/) { return Cycle::never(); }
  /// Whether there is room at `now` for an instruction that is not the warp's next one.
  virtual bool has_room(WarpSlot, const IssueTable&, const IssueInfo&, Cycle /*now*/) {
    return true;
  }
  /// Counts cycles in which warps found no room, summed over warps.
  virtual void count_stuck(std::uint64_t /*warp_cycles*/) {}

  virtual void declare(CounterList&) {}
};

struct DependenceProperties {
  bool holds_fetch = false;  ///< DependenceDescription::holds_fetch
};

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
