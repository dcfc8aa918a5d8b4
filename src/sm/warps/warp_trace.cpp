#include "sm/warps/warp_trace.h"

#include <algorithm>

#include "sm/stalls/stall_cause.h"
#include "sm/warps/warp_table.h"

namespace heddle::sm {

using trace::Kind;

const Kind WarpTrace::kWait{"wait", "a warp waits: why, and until when", {{"until"}}};
const Kind WarpTrace::kBlock{"block", "a warp waits for an event: why"};
const Kind WarpTrace::kUnblock{"unblock", "the event has arrived"};
const Kind WarpTrace::kReady{"ready", "a warp can be chosen to issue"};
const Kind WarpTrace::kIssue{"issue",
                             "an instruction issues: for how many threads, in how many passes",
                             {{"lanes"}, {"passes"}}};
const Kind WarpTrace::kIssueWrongPath{
    "issue_wrong_path",
    "an instruction of a wrong path issues, after a mispredicted branch, and is not executed"};
const Kind WarpTrace::kIssueAhead{
    "issue_ahead",
    "an instruction issues ahead, on the second context of a warp that waits for memory"};
const Kind WarpTrace::kReuse{
    "reuse", "the instruction that issues is not executed: its results were computed ahead"};
const Kind WarpTrace::kFetch{
    "fetch", "a warp's next instructions are fetched: when they are decoded", {{"decoded"}}};
const Kind WarpTrace::kStart{
    "start",
    "a warp starts with its block: the first of its static warps, and how many it has",
    {{"block"}, {"static_warp"}, {"static_warps"}}};
const Kind WarpTrace::kForm{"form",
                            "threads form a warp, or join one: how many it has, and the fewest "
                            "post-dominators of branches that one of them has passed",
                            {{"lanes"}, {"passed"}}};
const Kind WarpTrace::kEnd{"end", "a warp ends, or its threads are formed into other warps"};
const Kind WarpTrace::kBlockTaken{"block_taken", "a block's warps start", {{"block"}}};
const Kind WarpTrace::kBlockEnded{"block_ended", "a block's last warp has ended", {{"block"}}};

/// Records the state changes of a slot that begin or end a wait. The new state begins at
/// slot.since. If the last instruction takes several passes through its unit, slot.since is later
/// than now.
void WarpTrace::note_change(WarpSlot warp, const Slot& slot, WarpState state) const {
  const auto note_since = [&](const Kind& kind, std::string_view cause, std::uint64_t until = 0) {
    note(slot.since, kind, origin_of(warp, slot.pc), cause, until);
  };
  if (state == WarpState::ended) return note_since(kEnd, {});
  if (ends_with_event(state)) return note_since(kBlock, name_of(cause_of(slot.reason)));
  if (ends_with_event(slot.state)) return note_since(kUnblock, {});
  const bool waits = is_timed(state) && state != WarpState::starting;
  const Cycle until = waits ? std::max(slot.since, slot.ready_at) : slot.since;
  if (slot.since < until) note_since(kWait, name_of(cause_of(slot.reason)), until.number);
  // The end of a timed wait is recorded when the wait begins; nothing is recorded when the warp
  // wakes.
  if (state == WarpState::waiting || state == WarpState::ready) {
    note(until, kReady, origin_of(warp, slot.pc), {});
  }
}

void WarpTrace::note(Cycle at, const Kind& kind, trace::Origin origin, std::string_view cause,
                     std::uint64_t first, std::uint64_t second, std::uint64_t third) const {
  log_->note({.at = at,
              .kind = &kind,
              .origin = origin,
              .cause = cause,
              .values = {first, second, third}});
}

}  // namespace heddle::sm
