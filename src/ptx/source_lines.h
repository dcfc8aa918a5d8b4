#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "ptx/context.h"

namespace heddle::ptx {

/// Parses `.file` and `.loc`, and stores each position in the source once (Module::source_lines).
class SourceLines {
 public:
  explicit SourceLines(Context& context) : context_(context) {}

  /// Parses a `.file` after the directive itself.
  void parse_file();
  /// Parses a `.loc` after the directive itself, and sets Context::source_line.
  void parse_location();
  /// Must be called at the beginning of each function, because `inlined_at` refers only to
  /// positions of the same function.
  void begin_function();

 private:
  /// A position in the source: the key of a SourceLine.
  struct Place {
    std::uint32_t file = 0;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::uint32_t inlined_at = kNoIndex;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  bool parse_place(Place& place);
  /// The place's index in Module::source_lines, to which it is added if it is new.
  std::uint32_t index_of(const Place& place);

  Context& context_;
  std::map<Place, std::uint32_t> indices_;  ///< In Module::source_lines.
  /// For each file, line and column of this function: the latest index with them, whatever its
  /// `inlined_at`.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> latest_;
};

}  // namespace heddle::ptx
