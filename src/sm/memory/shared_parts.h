#pragma once

#include "sm/memory/crossbar_interface.h"
#include "sm/memory/instruction_trace.h"
#include "sm/memory/loads_in_flight.h"
#include "sm/memory/memory_counters.h"

namespace heddle::sm {

/// The parts of a load-store unit that its paths share.
struct SharedParts {
  CrossbarInterface crossbar;
  LoadsInFlight loads{};
  MemoryCounters counters{};
  InstructionTrace trace{};
};

}  // namespace heddle::sm
