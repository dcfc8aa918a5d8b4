#include "sm/warp_trace.h"

namespace heddle::sm {

using trace::Kind;

const Kind WarpTrace::kBlockTaken{"block_taken", "a block's warps start", {{"block"}}};
const Kind WarpTrace::kBlockEnded{"block_ended", "a block's last warp has ended", {{"block"}}};
const Kind WarpTrace::kStart{"start", "a warp starts", {{"block"}, {"row"}}};
const Kind WarpTrace::kFetch{
    "fetch", "a warp's next instruction: when it is there, decoded", {{"decoded"}}};
const Kind WarpTrace::kWait{"wait", "a warp waits: why, and until when", {{"until"}}};
const Kind WarpTrace::kBlock{"block", "a warp waits for what others do: why"};
const Kind WarpTrace::kUnblock{"unblock", "that has been done"};
const Kind WarpTrace::kReady{"ready", "a warp can be chosen to issue"};
const Kind WarpTrace::kIssue{"issue", "an instruction issues", {{"lanes"}, {"passes"}}};
const Kind WarpTrace::kEnd{"end", "a warp ends"};

void WarpTrace::note(Cycle at, const Kind& kind, trace::Origin origin, std::string_view cause,
                     std::uint64_t first, std::uint64_t second) const {
  log_->note(
      {.at = at, .kind = &kind, .origin = origin, .cause = cause, .values = {first, second}});
}

}  // namespace heddle::sm
