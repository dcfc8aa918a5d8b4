#pragma once

#include <cstdint>
#include <vector>

#include "trace/event.h"
#include "trace/selection.h"

namespace heddle::trace {

/// A part of the chip. What happens in one cycle is written in this order.
struct Place {
  enum class Part : std::uint8_t { chip, sm, partition };
  Part part = Part::chip;
  std::uint32_t number = 0;
};

/// The events of one part of the chip, in the order in which they were noted. Each part has its
/// own, so that host threads never meet in one; it is null where it is not asked for.
class Log {
 public:
  Log(Place place, const Selection& selection) : place_(place), selection_(&selection) {}

  /// Keeps it if it was asked for. Cold: where nothing is traced, the code around the call is as if
  /// it were not there.
  [[gnu::cold]] void note(const Event& event);

  Place place() const { return place_; }
  std::vector<Event>& events() { return events_; }

 private:
  Place place_;
  const Selection* selection_;
  std::vector<Event> events_;  ///< Those that have not been written.
};

}  // namespace heddle::trace
