#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "machine_options.h"
#include "residency_choice.h"
#include "workload/run.h"

namespace heddle {

// In the following functions, `timed` is null for a functional simulation.

/// The beginning of a report: the workload, the options and the machine.
nlohmann::ordered_json run_header(const workload::Workload& workload,
                                  const workload::RunOptions& options,
                                  const lab::RegisterChoice& registers, const TimedChip* timed);
/// The whole report: the header, followed by the results.
nlohmann::ordered_json run_to_json(nlohmann::ordered_json header, const workload::RunResult& result,
                                   const lab::RegisterChoice& registers, const TimedChip* timed);
void print_run(const workload::Workload& workload, const workload::RunOptions& options,
               const workload::RunResult& result, const lab::RegisterChoice& registers,
               const TimedChip* timed);

}  // namespace heddle
