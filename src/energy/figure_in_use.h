#pragma once

#include <set>
#include <string>
#include <string_view>

#include "energy/technology.h"
#include "gpu/machine.h"

namespace heddle::energy {

/// What an event takes on a machine, and what is to be said of that.
struct FigureInUse {
  double picojoules = 0;    ///< 0 where it is missing.
  std::string missing{};    ///< Of which size nothing is stated; else empty.
  std::string estimated{};  ///< What it is and how good, where no table has it; else empty.
};

/// Of an event that has a figure of its own.
FigureInUse figure_in_use(Event event, const EventEnergy& energy, const gpu::Machine& machine);
/// By the numbers of entries that multiprocessors have: where they differ, it is missing.
FigureInUse figure_by_entries(std::string_view name, const EventEnergy& energy,
                              const std::set<double>& entries);

}  // namespace heddle::energy
