#pragma once

// The registers per thread that decide how many blocks are resident when programs run side by side.

#include <cstdint>
#include <functional>
#include <vector>

#include "residency_choice.h"
#include "workload/program_choice.h"

namespace heddle {

using workload::ProgramChoice;

/// Returns a function that maps each kernel of the programs to its registers per thread. The
/// programs' workloads must outlive the function. Throws InputError if the registers that papers
/// state are requested and no paper states them for a workload. Also throws InputError if two
/// kernels of the same name would have different registers.
std::function<std::uint32_t(const code::FunctionInfo&)> registers_of_programs(
    const lab::RegisterChoice& choice, const std::vector<ProgramChoice>& programs);

}  // namespace heddle
