#pragma once

// May a warp's next instruction issue, as far as what came before it in the warp is concerned?

#include <memory>

#include "base/counters.h"
#include "base/cycle.h"
#include "base/lane_mask.h"
#include "config/answer_registry.h"
#include "sm/dependence/dependence_description.h"
#include "sm/ids.h"
#include "sm/issue_table.h"
#include "sm/stall_cause.h"
#include "sm/units/bypass.h"

namespace heddle::sm {

struct Row;

struct Readiness {
  Cycle at = Cycle::never();  ///< never: something has to complete whose time is not known yet.
  StallCause cause = StallCause::wait;  ///< What it waits for until then.
  bool hangs_on_lanes =
      false;  ///< It is so if all lanes execute it; to be asked with those that do.
};

/// When an instruction has issued, and when its results come.
struct Issued {
  Cycle at;        ///< Its last pass issued.
  Cycle done;      ///< Others may use its results from then on; never: a complete() will say.
  Cycle computed;  ///< The same if they found ports to be written through; a Bypass goes by it.
  StallCause cause = StallCause::wait;  ///< What others wait for until then.
  std::uint32_t access = 0;             ///< What complete() will call it, if that will say.
  LaneMask lanes{};                     ///< That execute it, where they are followed.
};

class Dependence {
 public:
  Dependence() = default;
  Dependence(const Dependence&) = delete;
  Dependence& operator=(const Dependence&) = delete;
  virtual ~Dependence() = default;

  /// A new warp, of the table's program, with nothing under way.
  virtual void start(WarpSlot warp, const IssueTable& table) = 0;
  /// An instruction has issued.
  virtual void issue(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
                     const Issued& issued) = 0;
  /// The results of an instruction that issued without a time can be used from `done` on.
  virtual void complete(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
                        std::uint32_t access, Cycle done) = 0;
  /// Asked at `now`: when the warp's next instruction may issue, if `lanes` execute it.
  virtual Readiness ready(WarpSlot warp, const IssueTable& table, const IssueInfo& next,
                          LaneMask lanes, Cycle now) = 0;

  /// Whether a warp's instruction may issue before the one before it has written its results.
  virtual bool overlaps() const { return true; }
  /// What it was last asked about will not issue: the warp goes on somewhere else.
  virtual void give_up(WarpSlot /*warp*/) {}

  /// Whether it wants to know which lanes execute. Of warps that are a row each.
  virtual bool follows_lanes() const { return false; }
  /// Whether it looks at what each instruction is about to be executed with: begin().
  virtual bool looks_at_values() const { return false; }
  /// An instruction of the warp, which is `row`, is about to be executed as it issues.
  virtual void begin(WarpSlot, const IssueTable&, const IssueInfo&, const Row&, Cycle /*now*/) {}

  /// Whether warps may find no room because of what others have under way.
  virtual bool is_shared() const { return false; }
  /// Those of `ready` for whose next instruction there is no room at `now`.
  virtual WarpSet stuck(WarpSet /*ready*/, Cycle /*now*/) { return 0; }
  /// The first cycle after `now` in which one of those that are may find room, unless a completion
  /// brings it.
  virtual Cycle next_room(WarpSet /*stuck*/, Cycle /*now*/) { return Cycle::never(); }
  /// Whether there is room at `now` for an instruction that is not the warp's next one.
  virtual bool has_room(WarpSlot, const IssueTable&, const IssueInfo&, Cycle /*now*/) {
    return true;
  }
  /// So many warps found none, for a cycle each.
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
  using Answer = Dependence;
  using Description = DependenceDescription;
  using Place = DependencePlace;
  using Context = DependenceContext;
  using Properties = DependenceProperties;
};
using DependenceRegistry = config::AnswerRegistry<DependenceSeam>;

/// The answer that the description names.
std::unique_ptr<Dependence> make_dependence(const DependenceDescription& description,
                                            const Bypass& bypass = {});

}  // namespace heddle::sm
