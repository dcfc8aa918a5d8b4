#pragma once

#include <set>
#include <string>
#include <string_view>

#include "energy/technology.h"
#include "gpu/machine.h"

namespace heddle::energy {

/// A figure that a technology states for an event, selected or estimated for a machine's size.
struct FigureInUse {
  double picojoules = 0;    ///< 0 if the figure is missing.
  std::string missing{};    ///< Event and size if the technology has no figure; else empty.
  std::string estimated{};  ///< Describes the estimate and its error; empty if not estimated.
};

/// The figure for one event on the machine. `energy` must not be included in another event's.
FigureInUse figure_in_use(Event event, const EventEnergy& energy, const gpu::Machine& machine);
/// The figure for the number of entries in `entries`. It is missing unless `entries` has exactly
/// one number, for which the technology states a figure. `name` is the event's, for `missing`.
FigureInUse figure_by_entries(std::string_view name, const EventEnergy& energy,
                              const std::set<double>& entries);

}  // namespace heddle::energy
