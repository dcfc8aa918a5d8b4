#pragma once

#include <cstdint>
#include <vector>

#include "trace/event.h"
#include "trace/selection.h"

namespace heddle::trace {

/// A part of the chip: the chip as a whole, a multiprocessor or a memory partition.
struct Place {
  enum class Part : std::uint8_t { chip, sm, partition };
  Part part = Part::chip;
  std::uint32_t number = 0;  ///< Of the multiprocessor or the partition, counted from 0.
};

/// The events of one part of the chip, in the order in which they were recorded. Each part has a
/// log of its own, so host threads never share one. A part that is not traced has no log, but a
/// null pointer.
class Log {
 public:
  Log(Place place, const Selection& selection) : place_(place), selection_(&selection) {}

  /// Records the event if the selection includes it. The function is marked cold, so that the call
  /// does not slow down the surrounding code when nothing is traced.
  [[gnu::cold]] void note(const Event& event);

  Place place() const { return place_; }
  std::vector<Event>& events() { return events_; }

 private:
  Place place_;
  const Selection* selection_;
  std::vector<Event> events_;  ///< Events that the trace has not written yet.
};

}  // namespace heddle::trace
