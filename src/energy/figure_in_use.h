#pragma once

#include <set>
#include <string>
#include <string_view>

#include "energy/technology.h"
#include "gpu/machine.h"

namespace heddle::energy {

/// The energy of an event on a machine, with notes on its source.
struct FigureInUse {
  double picojoules = 0;    ///< 0 if it is missing.
  std::string missing{};    ///< The size for which no figure is stated; else empty.
  std::string estimated{};  ///< The estimate and its error, if no table has the size; else empty.
};

/// The event must have a figure of its own.
FigureInUse figure_in_use(Event event, const EventEnergy& energy, const gpu::Machine& machine);
/// Selects the figure by the number of entries. It is missing if multiprocessors differ in it.
FigureInUse figure_by_entries(std::string_view name, const EventEnergy& energy,
                              const std::set<double>& entries);

}  // namespace heddle::energy
