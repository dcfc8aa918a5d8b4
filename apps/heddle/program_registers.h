#pragma once

// Whose registers decide how many blocks of programs side by side are resident.

#include <cstdint>
#include <functional>
#include <vector>

#include "residency_choice.h"
#include "workload/program_choice.h"

namespace heddle {

using workload::ProgramChoice;

/// Of the kernels of all of them, whose workloads must outlive it. Throws InputError where papers'
/// figures are asked for and there are none, or kernels that are called alike would have different
/// registers.
std::function<std::uint32_t(const code::FunctionInfo&)> registers_of_programs(
    const lab::Registers& choice, const std::vector<ProgramChoice>& programs);

}  // namespace heddle
