#pragma once

// The results of programs that ran side by side, as text and as JSON (docs/side-by-side.md).

#include <nlohmann/json.hpp>

#include "machine_options.h"
#include "side_by_side.h"

namespace heddle {

/// The beginning of a report: the programs, the register choice and the machine.
nlohmann::ordered_json side_by_side_header(const SideBySideOptions& options,
                                           const TimedChip& timed);
/// The whole report: the header, followed by the results.
nlohmann::ordered_json side_by_side_to_json(nlohmann::ordered_json header,
                                            const SideBySideResult& result, const TimedChip& timed);
void print_side_by_side(const SideBySideResult& result, const TimedChip& timed);

}  // namespace heddle
