#pragma once

// The number of warp instructions that each workload executes in each size, from which the duration
// of a run is estimated if no such run was measured yet. tools/pages/workload_table.py counts them.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "workload/grid_choice.h"
#include "workload/size.h"

namespace heddle::lab {

/// A workload by its name, and the form in which it runs.
using WorkloadForm = std::tuple<std::string, workload::Size, workload::GridChoice>;
using InstructionCounts = std::map<WorkloadForm, std::uint64_t, std::less<>>;

/// Reads a table [[workload]] for each workload and grid, which has a key for each size. Throws
/// InputError with the position of a mistake.
InstructionCounts read_instruction_counts(std::string_view text, const std::string& file);

struct InstructionCountsFile {
  std::string_view name;
  std::string_view text;
};
/// The only file in descriptions/workloads/, which is embedded in the program.
const std::vector<InstructionCountsFile>& instruction_counts_files();

/// The counts of all workloads, read from the embedded file.
const InstructionCounts& known_instruction_counts();

}  // namespace heddle::lab
