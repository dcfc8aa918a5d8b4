#pragma once

#include <deque>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "trace/log.h"

namespace heddle::trace {

/// Writes the events of a chip as text, one line per event. Events are sorted by cycle, then by
/// part (the chip, multiprocessors, partitions, by number), then in the order in which they were
/// recorded. The text therefore does not depend on the number of host threads.
///
/// The simulator runs some parts ahead of others, so events are recorded out of order. An event is
/// written only when no part can record an earlier one any more.
class Trace {
 public:
  /// Receives text that consists of whole lines.
  using Sink = std::function<void(std::string_view)>;

  Trace(Selection selection, Sink sink);
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// Starts to trace a new chip, whose cycles count from 0. `sms` and `partitions` are its numbers
  /// of multiprocessors and partitions.
  void attach(std::uint32_t sms, std::uint32_t partitions);
  /// The log for events of the chip as a whole.
  Log& chip() { return logs_.front(); }
  /// Returns null if the multiprocessor is not selected.
  Log* sm(std::uint32_t number);
  /// Never null: the log selects the events of a partition one by one.
  Log* partition(std::uint32_t number) { return &logs_[1 + sm_count_ + number]; }
  /// Returns a copy of the text that lives as long as the trace, for use as an event's `cause`.
  std::string_view intern(const std::string& text) { return *interned_texts_.insert(text).first; }

  /// Writes all events before `horizon`. Afterwards no part may record an event before it.
  void write_before(Cycle horizon);
  /// Call it if the chip stopped during cycle `last`. Writes the events up to that cycle
  /// (inclusive), and discards later ones.
  void stop(Cycle last);
  /// Writes all remaining events. Afterwards no part may record an event.
  void write_all() { write_before(Cycle::never()); }

 private:
  struct Line {
    Place place;
    Event event;
  };

  Selection selection_;
  Sink sink_;
  std::uint32_t sm_count_ = 0;
  /// First the chip's log, then one for each multiprocessor, then one for each partition.
  std::deque<Log> logs_;
  std::set<std::string> interned_texts_;
  // Members only so that write_before() need not allocate them each time:
  std::vector<Line> lines_;
  std::string text_;
};

}  // namespace heddle::trace
