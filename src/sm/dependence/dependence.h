#pragma once

// May a warp's next instruction issue, as far as what came before it in the warp is concerned?

#include <memory>

#include "base/cycle.h"
#include "config/answer_registry.h"
#include "sm/dependence/dependence_description.h"
#include "sm/ids.h"
#include "sm/issue_table.h"
#include "sm/stall_cause.h"

namespace heddle::sm {

struct Readiness {
  Cycle at = Cycle::never();  ///< never: something has to complete whose time is not known yet.
  StallCause cause = StallCause::wait;  ///< What it waits for until then.
};

class Dependence {
 public:
  Dependence() = default;
  Dependence(const Dependence&) = delete;
  Dependence& operator=(const Dependence&) = delete;
  virtual ~Dependence() = default;

  /// A new warp, of the table's program, with nothing under way.
  virtual void start(WarpSlot warp, const IssueTable& table) = 0;
  /// An instruction has issued at `now`; others may use its results from `done` on (never: a
  /// complete() will say). `cause` is what they wait for.
  virtual void issue(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
                     Cycle now, Cycle done, StallCause cause) = 0;
  /// The results of an instruction that issued without a time can be used from `done` on.
  virtual void complete(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
                        Cycle done) = 0;
  /// When the warp's next instruction may issue.
  virtual Readiness ready(WarpSlot warp, const IssueTable& table, const IssueInfo& next) const = 0;
};

struct DependenceProperties {
  bool holds_fetch = false;  ///< DependenceDescription::holds_fetch
};

struct DependenceSeam {
  using Answer = Dependence;
  using Description = DependenceDescription;
  using Place = DependenceDescription;
  using Context = DependenceContext;
  using Properties = DependenceProperties;
};
using DependenceRegistry = config::AnswerRegistry<DependenceSeam>;

/// The answer that the description names.
std::unique_ptr<Dependence> make_dependence(const DependenceDescription& description);

}  // namespace heddle::sm
