#pragma once

#include <deque>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "trace/log.h"

namespace heddle::trace {

/// What happens in a chip, a line an event: in order of the cycles, in a cycle by parts (the chip,
/// multiprocessors, partitions, by number), in a part as it was noted. So it is the same text
/// however many host threads simulate.
///
/// Parts run ahead of one another and note what will happen later. Only what nobody can come before
/// any more is written: the rest waits for the next time.
class Trace {
 public:
  /// Takes whole lines.
  using Sink = std::function<void(std::string_view)>;

  Trace(Selection selection, Sink sink);
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// A chip begins, in cycle 0.
  void attach(std::uint32_t sms, std::uint32_t partitions);
  Log& chip() { return logs_.front(); }
  /// Null where its events were not asked for.
  Log* sm(std::uint32_t number);
  Log* partition(std::uint32_t number) { return &logs_[1 + sms_ + number]; }
  /// The same text, for as long as there is a trace: for an event's `cause`.
  std::string_view keep(const std::string& text) { return *texts_.insert(text).first; }

  /// Nothing will be noted any more that is before `horizon`: all of that is written.
  void write_before(Cycle horizon);
  /// The chip stopped in the middle of cycle `last`: what is later does not happen.
  void stop(Cycle last);
  /// No chip will note anything any more: all is written.
  void write_all() { write_before(Cycle::never()); }

 private:
  struct Line {
    Place place;
    Event event;
  };

  Selection selection_;
  Sink sink_;
  std::uint32_t sms_ = 0;
  std::deque<Log> logs_;  ///< Of the chip, each multiprocessor, each partition.
  std::set<std::string> texts_;
  std::vector<Line> lines_;
  std::string text_;
};

}  // namespace heddle::trace
