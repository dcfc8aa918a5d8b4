#include "trace/line.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle::trace {
namespace {

// A trace has millions of lines, and formatting takes most of the time of tracing. Lines are
// therefore assembled without a general formatter.

/// A text of at most 32 bytes that may end in a number: "sm12".
class ShortText {
 public:
  explicit ShortText(std::string_view letters) : size_(letters.copy(text_.data(), text_.size())) {}
  ShortText(std::string_view letters, std::uint64_t number, int base = 10) : ShortText(letters) {
    size_ = static_cast<std::size_t>(
        std::to_chars(text_.data() + size_, text_.data() + text_.size(), number, base).ptr -
        text_.data());
  }
  operator std::string_view() const { return {text_.data(), size_}; }

 private:
  std::array<char, 32> text_{};
  std::size_t size_ = 0;
};

/// Stands in a column that does not apply to an event.
constexpr std::string_view kNone = "-";

struct Column {
  std::size_t width = 0;
  bool is_right_aligned = false;
};
/// Cycle, place, origin, PC, kind and cause.
constexpr std::array<Column, 6> kColumns{{{10, true}, {7}, {6}, {6, true}, {16}, {18}}};

void append_columns(std::string& text,
                    const std::array<std::string_view, kColumns.size()>& values) {
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    const Column& column = kColumns[i];
    const std::size_t size = values[i].size();
    const std::size_t spaces = size < column.width ? column.width - size : 0;
    if (i > 0) text += ' ';
    if (column.is_right_aligned) text.append(spaces, ' ');
    text += values[i];
    if (!column.is_right_aligned) text.append(spaces, ' ');
  }
}

ShortText name_of(Place place) {
  switch (place.part) {
    case Place::Part::chip:
      return ShortText("chip");
    case Place::Part::sm:
      return ShortText("sm", place.number);
    case Place::Part::partition:
      return ShortText("part", place.number);
  }
  return ShortText(kNone);
}

ShortText name_of(const Origin& origin) {
  if (origin.warp != Origin::kNone) return ShortText("w", origin.warp);
  if (origin.sm != Origin::kNone) return ShortText("sm", origin.sm);
  return ShortText(kNone);
}

}  // namespace

std::string header() {
  std::string columns;
  append_columns(columns, {"cycle", "where", "for", "pc", "event", "cause"});
  return "# heddle-trace-2, cycles of the core's clock\n#" + columns.substr(1) + " details\n";
}

void append_line(std::string& text, Place place, const Event& event) {
  const Kind& kind = *event.kind;
  const std::uint32_t pc = event.origin.pc;
  append_columns(text, {ShortText({}, event.at.number), name_of(place), name_of(event.origin),
                        pc == Origin::kNoPc ? ShortText(kNone) : ShortText("pc", pc), kind.name(),
                        event.cause.empty() ? kNone : event.cause});
  for (std::size_t i = 0; i < kind.field_count(); ++i) {
    if (event.values[i] == kNothing) continue;
    const Field& field = kind.field(i);
    const bool is_hexadecimal = field.format == Format::hexadecimal;
    text += ' ';
    text += field.name;
    text += is_hexadecimal ? "=0x" : "=";
    text += ShortText({}, event.values[i], is_hexadecimal ? 16 : 10);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
}

}  // namespace heddle::trace
