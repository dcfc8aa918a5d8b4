#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "machine_options.h"
#include "residency_choice.h"
#include "workload/run.h"

namespace heddle {

// `timed` is null where a run had no time.

/// What was asked for: how a report begins.
nlohmann::ordered_json run_header(const workload::Workload& workload,
                                  const workload::RunOptions& options,
                                  const lab::Registers& registers, const TimedChip* timed);
/// The header with all that the run found after it.
nlohmann::ordered_json run_to_json(nlohmann::ordered_json header, const workload::RunResult& result,
                                   const lab::Registers& registers, const TimedChip* timed);
void print_run(const workload::Workload& workload, const workload::RunOptions& options,
               const workload::RunResult& result, const lab::Registers& registers,
               const TimedChip* timed);

}  // namespace heddle
