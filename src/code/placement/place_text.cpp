#include "code/placement/place_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::code {
namespace {

std::string text_of(const UpperPlace& place) {
  switch (place.level) {
    case RegisterLevel::main:
      return "m";
    case RegisterLevel::operand:
      return fmt::format("o{}", place.entry);
    case RegisterLevel::last_result:
      return fmt::format("l{}", place.entry);
  }
  return "?";
}

std::string text_of(const ReadPlace& place) {
  return place.fill_place.present() ? ">" + text_of(place.fill_place) : text_of(place.from);
}

std::string text_of(const WritePlace& place) {
  const bool both = place.main && place.upper.present();
  return text_of(place.upper) + (both ? "+m" : "");
}

template <class Places>
std::string text_of_words(const Operand& operand, const Places& places) {
  if (!operand.is_register()) return "";
  std::string text;
  bool any = false;
  for (std::uint32_t i = 0; i < operand.width; ++i) {
    const auto* place = std::find_if(places.begin(), places.end(), [&](const auto& each) {
      return each.word == operand.index + i;
    });
    const std::string place_text = place == places.end() ? "m" : text_of(*place);
    any = any || place_text != "m";
    text.append(i == 0 ? "" : ":").append(place_text);
  }
  if (!any) return "";
  return operand.width == 1 && text.front() == '>' ? text : "@" + text;
}

}  // namespace

std::string text_of_read(const Operand& operand, const InstructionPlacement& placement) {
  return text_of_words(operand, placement.reads);
}

std::string text_of_write(const Operand& operand, const InstructionPlacement& placement) {
  return text_of_words(operand, placement.writes);
}

std::string text_of_strand(const InstructionPlacement& placement) {
  if (placement.suspends) return placement.begins_strand ? "suspended, strand begins" : "suspended";
  return placement.begins_strand ? "strand begins" : "";
}

}  // namespace heddle::code
