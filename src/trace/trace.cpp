#include "trace/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "trace/line.h"

namespace heddle::trace {

Trace::Trace(Selection selection, Sink sink)
    : selection_(std::move(selection)), sink_(std::move(sink)) {
  sink_(header());
}

void Trace::attach(std::uint32_t sms, std::uint32_t partitions) {
  using Part = Place::Part;
  logs_.clear();
  sm_count_ = sms;
  logs_.emplace_back(Place{.part = Part::chip}, selection_);
  for (std::uint32_t i = 0; i < sms; ++i) logs_.emplace_back(Place{Part::sm, i}, selection_);
  for (std::uint32_t i = 0; i < partitions; ++i) {
    logs_.emplace_back(Place{Part::partition, i}, selection_);
  }
}

Log* Trace::sm(std::uint32_t number) {
  return selection_.has_sm(number) ? &logs_[1 + number] : nullptr;
}

void Trace::write_before(Cycle horizon) {
  lines_.clear();
  for (Log& log : logs_) {
    std::vector<Event>& events = log.events();
    std::size_t later_events = 0;
    for (const Event& event : events) {
      if (event.at < horizon) {
        lines_.push_back({log.place(), event});
      } else {
        events[later_events++] = event;
      }
    }
    events.resize(later_events);
  }
  if (lines_.empty()) return;
  std::stable_sort(lines_.begin(), lines_.end(),
                   [](const Line& a, const Line& b) { return a.event.at < b.event.at; });
  text_.clear();
  for (const Line& line : lines_) append_line(text_, line.place, line.event);
  sink_(text_);
}

void Trace::stop(Cycle last) {
  write_before(last + Cycles(1));
  for (Log& log : logs_) log.events().clear();
  sink_(fmt::format("# stopped in cycle {}\n", last.number));
}

}  // namespace heddle::trace
