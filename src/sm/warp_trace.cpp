#include "sm/warp_trace.h"

#include <algorithm>

#include "sm/warp_table.h"

namespace heddle::sm {

using trace::Kind;

const Kind WarpTrace::kWait{"wait", "a warp waits: why, and until when", {{"until"}}};
const Kind WarpTrace::kBlock{"block", "a warp waits for what is reported to it: why"};
const Kind WarpTrace::kUnblock{"unblock", "that has been reported"};
const Kind WarpTrace::kReady{"ready", "a warp can be chosen to issue"};
const Kind WarpTrace::kIssue{"issue",
                             "an instruction issues: for how many threads, in how many passes",
                             {{"lanes"}, {"passes"}}};
const Kind WarpTrace::kIssueInVain{
    "issue_in_vain",
    "an instruction issues that is not executed: a branch before it was predicted wrongly"};
const Kind WarpTrace::kFetch{
    "fetch", "a warp's next instructions are fetched: when they are decoded", {{"decoded"}}};
const Kind WarpTrace::kStart{"start",
                             "a warp comes with its block: the first of its rows of 32 threads, "
                             "and how many they are",
                             {{"block"}, {"row"}, {"rows"}}};
const Kind WarpTrace::kForm{"form",
                            "threads that have come together are a warp, or join one: how many it "
                            "has, and the fewest meeting points of branches that one has passed",
                            {{"lanes"}, {"passed"}}};
const Kind WarpTrace::kEnd{"end", "a warp ends, or its threads go other ways"};
const Kind WarpTrace::kBlockTaken{"block_taken", "a block's warps start", {{"block"}}};
const Kind WarpTrace::kBlockEnded{"block_ended", "a block's last warp has ended", {{"block"}}};

/// Of all that a slot goes through, what it waits in. It is in the new state since slot.since:
/// after an instruction of several passes that is later than the cycle in which this is decided.
void WarpTrace::note_change(WarpSlot warp, const Slot& slot, WarpState state) const {
  const auto note_since = [&](const Kind& kind, std::string_view cause, std::uint64_t until = 0) {
    note(slot.since, kind, of(warp, slot.pc), cause, until);
  };
  if (state == WarpState::ended) return note_since(kEnd, {});
  if (is_reported(state)) return note_since(kBlock, name_of(slot.cause));
  if (is_reported(slot.state)) return note_since(kUnblock, {});
  const bool waits = is_timed(state) && state != WarpState::starting;
  const Cycle until = waits ? std::max(slot.since, slot.ready_at) : slot.since;
  if (slot.since < until) note_since(kWait, name_of(slot.cause), until.number);
  // What is known to be ready then is noted now, so that whoever wakes it need not.
  if (state == WarpState::waiting || state == WarpState::ready) {
    note(until, kReady, of(warp, slot.pc), {});
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
