#pragma once

// The trace of a run, read back from its text.

#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace heddle::gpu::test {

struct TracedEvent {
  std::uint64_t cycle = 0;
  std::string where, whom, pc, event, cause;
  std::map<std::string, std::string> details;

  std::uint64_t number(const std::string& name) const {
    const std::string& text = details.at(name);
    const bool is_hex = text.starts_with("0x");
    return std::stoull(is_hex ? text.substr(2) : text, nullptr, is_hex ? 16 : 10);
  }
};

inline std::vector<TracedEvent> read_trace(const std::string& text) {
  std::vector<TracedEvent> events;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream words(line);
    TracedEvent event;
    words >> event.cycle >> event.where >> event.whom >> event.pc >> event.event >> event.cause;
    for (std::string word; words >> word;) {
      const std::size_t equals = word.find('=');
      event.details[word.substr(0, equals)] = word.substr(equals + 1);
    }
    events.push_back(event);
  }
  return events;
}

/// A trace that is kept as text.
class TraceText {
 public:
  explicit TraceText(const trace::Selection& selection = {})
      : trace_(selection, [this](std::string_view lines) { text_ += lines; }) {}

  trace::Trace* trace() { return &trace_; }
  /// When all has been run.
  const std::string& text() {
    trace_.write_all();
    return text_;
  }
  std::vector<TracedEvent> events() { return read_trace(text()); }

 private:
  std::string text_;
  trace::Trace trace_;
};

}  // namespace heddle::gpu::test
