#include "trace/line.h"

#include <fmt/format.h>

#include <iterator>

namespace heddle::trace {
namespace {

constexpr std::string_view kColumns = "{:>10} {:<7} {:<6} {:>6} {:<16} {:<18}";
constexpr std::string_view kNone = "-";

std::string name_of(Place place) {
  switch (place.part) {
    case Place::Part::chip:
      return "chip";
    case Place::Part::sm:
      return fmt::format("sm{}", place.number);
    case Place::Part::partition:
      return fmt::format("part{}", place.number);
  }
  return {};
}

std::string name_of(const Origin& origin) {
  if (origin.warp != Origin::kNobody) return fmt::format("w{}", origin.warp);
  if (origin.sm != Origin::kNobody) return fmt::format("sm{}", origin.sm);
  return std::string(kNone);
}

}  // namespace

std::string header() {
  return fmt::format(
      "# heddle-trace-1, cycles of the core's clock\n#{}details\n",
      fmt::format(kColumns, "cycle", "where", "for", "pc", "event", "cause").substr(1) + " ");
}

void append_line(std::string& text, Place place, const Event& event) {
  const Kind& kind = *event.kind;
  fmt::format_to(std::back_inserter(text), kColumns, event.at.number, name_of(place),
                 name_of(event.origin),
                 event.origin.pc == Origin::kNowhere ? std::string(kNone)
                                                     : fmt::format("pc{}", event.origin.pc),
                 kind.name(), event.cause.empty() ? kNone : event.cause);
  for (std::size_t i = 0; i < kind.fields(); ++i) {
    if (event.values[i] == kNothing) continue;
    const Field& field = kind.field(i);
    if (field.format == Format::hexadecimal) {
      fmt::format_to(std::back_inserter(text), " {}=0x{:x}", field.name, event.values[i]);
    } else {
      fmt::format_to(std::back_inserter(text), " {}={}", field.name, event.values[i]);
    }
  }
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
}

}  // namespace heddle::trace
