#pragma once

// The trace of a run, parsed from its text.

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/trace.h"

namespace heddle::gpu::test {

struct TracedEvent {
  std::uint64_t cycle = 0;
  std::string where, subject, pc, event, cause;
  std::vector<std::pair<std::string, std::string>> details;  ///< Names and values.

  /// The value of a detail. Throws if the event has none of that name.
  const std::string& detail(std::string_view name) const {
    for (const auto& [key, value] : details) {
      if (key == name) return value;
    }
    throw std::out_of_range(event + " has no detail '" + std::string(name) + "'");
  }
  /// The value of a detail that is a decimal or hexadecimal number.
  std::uint64_t number(std::string_view name) const {
    const std::string& text = detail(name);
    const bool is_hex = text.starts_with("0x");
    return std::stoull(is_hex ? text.substr(2) : text, nullptr, is_hex ? 16 : 10);
  }
};

/// Removes the first word from `line` and returns it; empty at the end of the line.
inline std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(word.size());
  return word;
}

/// Parses a trace. A trace has millions of words, and reading them from a stream would take most of
/// a test's time.
inline std::vector<TracedEvent> read_trace(std::string_view text) {
  std::vector<TracedEvent> events;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.empty() || line.starts_with("#")) continue;
    TracedEvent& event = events.emplace_back();
    const std::string_view cycle = take_word(line);
    std::from_chars(cycle.data(), cycle.data() + cycle.size(), event.cycle);
    for (std::string* const column :
         {&event.where, &event.subject, &event.pc, &event.event, &event.cause}) {
      *column = take_word(line);
    }
    for (std::string_view word; !(word = take_word(line)).empty();) {
      const std::size_t equals = word.find('=');
      event.details.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    }
  }
  return events;
}

/// A trace that is collected as text.
class TraceText {
 public:
  explicit TraceText(const trace::Selection& selection = {})
      : trace_(selection, [this](std::string_view lines) { text_ += lines; }) {}

  trace::Trace* trace() { return &trace_; }
  /// Call it after the last launch.
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
