#include "sm/pipeline/issue_counters.h"

#include <string>

namespace heddle::sm {

void IssueCounters::declare(CounterList& counters) {
  counters.add("sm.warp_instructions", warp_instructions, "instructions",
               "issued, each for a warp");
  counters.add("sm.thread_instructions", thread_instructions, "instructions",
               "issued, counted for each thread on the path");
  for (std::size_t n = 0; n < lanes.size(); ++n) {
    counters.add("lanes." + std::to_string(n), lanes[n], "instructions",
                 "issued with so many lanes active");
  }
}

}  // namespace heddle::sm
