#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "ptx/context.h"

namespace heddle::ptx {

/// Parses `.file` and `.loc`, and stores each position in the source once.
class SourceLines {
 public:
  explicit SourceLines(Context& context) : context_(context) {}

  void parse_file();
  /// Parses a `.loc` and sets Context::source.
  void parse_location();
  /// Starts a function: `inlined_at` refers to positions of the same function only.
  void begin_function();

 private:
  struct Place {
    std::uint32_t file = 0;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::uint32_t inlined_at = kNoIndex;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  bool parse_place(Place& place);
  std::uint32_t index_of(const Place& place);

  Context& context_;
  std::map<Place, std::uint32_t> known_;
  /// The latest index of each position in this function, wherever it was inlined.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> latest_;
};

}  // namespace heddle::ptx
