#include "locality/description.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace heddle::locality {
namespace {

template <std::size_t kCount>
std::vector<std::string> texts(const std::array<std::string_view, kCount>& names) {
  return {names.begin(), names.end()};
}

/// The choice that has the name, which must be one of `names`.
template <class Choice, std::size_t kCount>
Choice choice_named(std::string_view name, const std::array<std::string_view, kCount>& names) {
  return static_cast<Choice>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

void Description::declare(config::Declarations& parameters) {
  parameters.flag("observe", observe,
                  "whether the locality of accesses to global memory is measured, which changes no "
                  "other result");
  parameters.choice("stream", stream, texts(kStreamKinds),
                    "the accesses that follow one another in the measure: those of a warp, of a "
                    "block, of a multiprocessor, or of the chip");
  parameters.choice("accesses", accesses, texts(kAccessChoices),
                    "the accesses that are measured; atomics belong to both loads and stores");
  parameters.choice("stage", stage, texts(kStages),
                    "whether the addresses of lanes are measured, before coalescing, or those of "
                    "segments, after it");
  parameters.choice(
      "reading", reading, texts(kReadings),
      "whether neighbours are in the same aligned group of bytes, or less than so many "
      "bytes apart");
}

Options Description::options() const {
  return {.stream = choice_named<StreamKind>(stream, kStreamKinds),
          .accesses = choice_named<AccessChoice>(accesses, kAccessChoices),
          .stage = choice_named<Stage>(stage, kStages),
          .reading = choice_named<Reading>(reading, kReadings)};
}

}  // namespace heddle::locality
