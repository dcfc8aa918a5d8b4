#include "code/placement/place_values.h"

#include <algorithm>
#include <cassert>

#include "code/placement/choose_places.h"
#include "code/placement/plain_placement.h"
#include "code/placement/savings.h"

namespace heddle::code {
namespace {

/// The place of a word, which must be in the list.
template <class Places>
auto& place_of(std::uint16_t word, Places& places) {
  auto* place = std::find_if(places.begin(), places.end(),
                             [&](const auto& each) { return each.word == word; });
  assert(place != places.end());
  return *place;
}

/// Writes the choice for a value to the placements of its reads and writers.
void apply(const Value& value, const Choice& choice, std::vector<InstructionPlacement>& placement) {
  for (std::size_t i = 0; i < choice.served; ++i) {
    place_of(value.word, placement[value.reads[i].at].reads).from = choice.place;
  }
  if (value.is_read_operand) {
    place_of(value.word, placement[value.writers[0].at].reads).fill_place = choice.place;
    return;
  }
  const std::vector<WriterNeed> needs = Savings::needs_of(value, choice.served);
  for (std::size_t i = 0; i < needs.size(); ++i) {
    if (!needs[i].upper) continue;
    WritePlace& place = place_of(value.word, placement[value.writers[i].at].writes);
    place.upper = choice.place;
    place.main = needs[i].main;
  }
}

}  // namespace

std::vector<InstructionPlacement> place_values(const Function& function,
                                               const Hierarchy& hierarchy) {
  assert(hierarchy.in_shared_unit != nullptr && hierarchy.is_long_latency != nullptr);
  const CodeOrder code(function);
  const Strands strands = find_strands(code, hierarchy);
  const Values found = find_values(code, strands, hierarchy);
  const std::vector<Choice> choices = choose_places(code, found.values, hierarchy);
  std::vector<InstructionPlacement> placement = plain_placement(code);
  for (Position at = 0; at < code.size(); ++at) {
    placement[at].begins_strand = strands.begins[at];
    placement[at].suspends = strands.suspends[at];
  }
  for (const WordAt& each : found.live_out) {
    place_of(each.word, placement[each.at].writes).live_out = true;
  }
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i].place.present()) apply(found.values[i], choices[i], placement);
  }
  return placement;
}

}  // namespace heddle::code
