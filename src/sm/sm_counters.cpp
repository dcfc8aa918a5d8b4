#include "sm/sm_counters.h"

#include <array>
#include <string>

namespace heddle::sm {

void SmCounters::declare(CounterList& counters) {
  counters.add("sm.warp_instructions", warp_instructions, "instructions",
               "issued, each for a warp");
  counters.add("sm.thread_instructions", thread_instructions, "instructions",
               "issued, counted for each thread on the path");
  counters.add("sm.active_cycles", active_cycles, "cycles", "with a resident block");
  counters.add("sm.idle_cycles", idle_cycles, "cycles",
               "with a resident block in which no scheduler issued");
  counters.add("sm.resident_warp_cycles", resident_warp_cycles, "warp-cycles",
               "of resident warps that have not ended");
  counters.add("sm.resident_block_cycles", resident_block_cycles, "block-cycles",
               "of resident blocks");
  counters.add("sm.register_cycles", register_cycles, "register-cycles",
               "of registers that are given to residents");
  for (std::size_t n = 0; n < lanes.size(); ++n) {
    counters.add("lanes." + std::to_string(n), lanes[n], "instructions",
                 "issued with so many lanes active");
  }
  counters.add("scheduler.selected", selected, "cycles", "in which a scheduler issued");
  for (std::size_t i = 0; i < kStallCauses; ++i) {
    const auto cause = static_cast<StallCause>(i);
    counters.add("scheduler." + std::string(name_of(cause)), scheduler[i], "cycles",
                 meaning_of(cause));
  }
  counters.add("scheduler.no_warps", no_warps, "cycles", "in which a scheduler had no warp");
  counters.add("warp.selected", selected, "warp-cycles", "in which a warp issued");
  counters.add("warp.not_selected", not_selected, "warp-cycles",
               "in which a warp could have issued, and another did");
  for (std::size_t i = 0; i < kStallCauses; ++i) {
    const auto cause = static_cast<StallCause>(i);
    counters.add("warp." + std::string(name_of(cause)), warp[i], "warp-cycles", meaning_of(cause));
  }
}

}  // namespace heddle::sm
