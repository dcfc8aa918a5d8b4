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
/// noted. The text therefore does not depend on the number of host threads.
///
/// Parts run ahead of one another and note events that happen later. An event is written only when
/// no part can still note an earlier one.
class Trace {
 public:
  /// Receives text of whole lines.
  using Sink = std::function<void(std::string_view)>;

  Trace(Selection selection, Sink sink);
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// Starts tracing a new chip, at cycle 0.
  void attach(std::uint32_t sms, std::uint32_t partitions);
  Log& chip() { return logs_.front(); }
  /// Null if the multiprocessor is not selected.
  Log* sm(std::uint32_t number);
  Log* partition(std::uint32_t number) { return &logs_[1 + sms_ + number]; }
  /// Returns a copy of the text that lives as long as the trace, for use as an event's `cause`.
  std::string_view intern(const std::string& text) { return *texts_.insert(text).first; }

  /// Writes all events before `horizon`. No earlier event may be noted afterwards.
  void write_before(Cycle horizon);
  /// The chip stopped during cycle `last`. Writes the events up to it, and discards later ones.
  void stop(Cycle last);
  /// Writes all remaining events. No event may be noted afterwards.
  void write_all() { write_before(Cycle::never()); }

 private:
  struct Line {
    Place place;
    Event event;
  };

  Selection selection_;
  Sink sink_;
  std::uint32_t sms_ = 0;
  std::deque<Log> logs_;  ///< The chip's, each multiprocessor's, each partition's.
  std::set<std::string> texts_;
  std::vector<Line> lines_;
  std::string text_;
};

}  // namespace heddle::trace
