#pragma once

// A cache of one set, whose lines have letters as names.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "config/set_parameter.h"
#include "memory/cache_tags.h"

namespace heddle::memory {

/// A description with the policy, and with `setting` ("seed=2") if it is not empty.
inline ReplacementDescription replacement_of(std::string_view policy,
                                             const std::string& setting = "") {
  ReplacementDescription description;
  config::Declarations parameters;
  description.declare(parameters);
  if (!setting.empty()) config::set_parameter(parameters, setting);
  description.policy = policy;
  return description;
}

class LetterCache {
 public:
  LetterCache(const ReplacementDescription& replacement, std::uint32_t ways)
      : tags_({.bytes = std::uint64_t{64} * ways,
               .line_bytes = 64,
               .sector_bytes = 64,
               .ways = ways,
               .replacement = replacement}) {}

  /// Loads the lines one after another. Returns the lines that were evicted, in order.
  std::string load(std::string_view lines) {
    std::string evicted;
    for (const char line : lines) {
      if (const auto victim = request(line)) evicted += *victim;
      arrive(line);
    }
    return evicted;
  }
  /// Loads a line whose data stay in flight. Returns the line that was evicted, if any.
  std::optional<char> request(char line) {
    const auto reservation = tags_.reserve(number(line), 1);
    if (!reservation || !reservation->evicted) return std::nullopt;
    return static_cast<char>(reservation->evicted->line);
  }
  void arrive(char line) { tags_.fill(number(line), 1); }
  void invalidate(char line) { tags_.invalidate(number(line)); }
  CacheTags& tags() { return tags_; }

  static std::uint64_t number(char line) { return static_cast<std::uint64_t>(line); }

 private:
  CacheTags tags_;
};

}  // namespace heddle::memory
