#pragma once

// What came of programs that ran side by side, for people and as JSON (docs/results.md).

#include <nlohmann/json.hpp>

#include "machine_options.h"
#include "side_by_side.h"

namespace heddle {

/// What was asked for: how a report begins.
nlohmann::ordered_json side_by_side_header(const SideBySideOptions& options,
                                           const TimedChip& timed);
/// The header with all that came of it.
nlohmann::ordered_json side_by_side_to_json(nlohmann::ordered_json header, const SideBySide& done,
                                            const TimedChip& timed);
void print_side_by_side(const SideBySide& done, const TimedChip& timed);

}  // namespace heddle
