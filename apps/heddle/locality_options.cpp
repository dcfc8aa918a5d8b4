#include "locality_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "option_values.h"

namespace heddle {
namespace {

constexpr const char* kFile = "--locality";
constexpr const char* kChart = "--locality-chart";
constexpr const char* kStream = "--locality-stream";
constexpr const char* kAccesses = "--locality-accesses";
constexpr const char* kStage = "--locality-stage";
constexpr const char* kReading = "--locality-reading";
constexpr const char* kInterval = "--locality-interval";

/// The longest interval of footprints.
constexpr std::uint64_t kMaxInterval = 1'000'000'000;

/// Sets `to` to the choice that `text` names, unless it is empty. `names`: those of the choices.
template <class Enum, std::size_t kCount>
void choose(const char* option, const std::string& text,
            const std::array<std::string_view, kCount>& names, Enum& to) {
  if (text.empty()) return;
  for (std::size_t i = 0; i < kCount; ++i) {
    if (names[i] != text) continue;
    to = static_cast<Enum>(i);
    return;
  }
  throw InputError(fmt::format("{}: unknown choice '{}'; choose one of: {}", option, text,
                               fmt::join(names, ", ")));
}

}  // namespace

const char* LocalityOptions::dependent_option() const {
  return !stream.empty()     ? kStream
         : !accesses.empty() ? kAccesses
         : !stage.empty()    ? kStage
         : !reading.empty()  ? kReading
         : !interval.empty() ? kInterval
                             : nullptr;
}

const char* LocalityOptions::given_option() const {
  return !file.empty() ? kFile : !chart.empty() ? kChart : dependent_option();
}

void add_locality_options(CLI::App& verb, LocalityOptions& options) {
  verb.add_option(kFile, options.file,
                  "Measure how likely neighbours of an address are accessed soon after it; write "
                  "the result by kernel and source line as JSON, or as CSV if FILE ends in .csv")
      ->type_name("FILE")
      ->check(file_name());
  verb.add_option(kChart, options.chart, "Draw this locality as a surface and as curves")
      ->type_name("FILE.svg")
      ->check(file_name());
  verb.add_option(kStream, options.stream,
                  "The accesses that follow one another: those of a warp (default), of a block, of "
                  "a multiprocessor (timed simulation only), or of the chip")
      ->type_name("warp|block|sm|chip");
  verb.add_option(kAccesses, options.accesses,
                  "The accesses to measure; atomics always count (default all)")
      ->type_name("loads|stores|all");
  verb.add_option(
          kStage, options.stage,
          "The addresses of lanes, before coalescing (default), or of the segments after it")
      ->type_name("lanes|segments");
  verb.add_option(kReading, options.reading,
                  "Neighbours are in the same aligned group of bytes (default), or less than so "
                  "many bytes apart")
      ->type_name("group|distance");
  verb.add_option(kInterval, options.interval,
                  "Accesses in an interval of the footprint (default 65536)")
      ->type_name("N");
}

std::optional<locality::Options> parse_locality(const LocalityOptions& options, bool is_timed) {
  if (options.file.empty() && options.chart.empty()) {
    const char* const dependent = options.dependent_option();
    if (dependent == nullptr) return std::nullopt;
    throw InputError(fmt::format("{}: needs {} or {}, the files that contain the result", dependent,
                                 kFile, kChart));
  }
  locality::Options parsed;
  choose(kStream, options.stream, locality::kStreamKinds, parsed.stream);
  choose(kAccesses, options.accesses, locality::kAccessChoices, parsed.accesses);
  choose(kStage, options.stage, locality::kStages, parsed.stage);
  choose(kReading, options.reading, locality::kReadings, parsed.reading);
  if (!options.interval.empty()) {
    parsed.interval = parse_whole_number(kInterval, options.interval, 1, kMaxInterval);
  }
  if (parsed.stream == locality::StreamKind::sm && !is_timed) {
    throw InputError(fmt::format(
        "{} sm: a functional simulation has no multiprocessors; choose another stream", kStream));
  }
  return parsed;
}

}  // namespace heddle
