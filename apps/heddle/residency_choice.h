#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/machine.h"
#include "lab/registers.h"
#include "workload/run.h"

namespace heddle {

/// Throws InputError where the papers' figures are asked for and there are none.
void check_register_choice(const lab::Registers& choice, std::string_view workload,
                           const std::vector<workload::KernelShape>& kernels);
/// A kernel of which no paper gives a figure keeps its own.
std::uint32_t registers_for_residency(const lab::Registers& choice, std::uint32_t compiled,
                                      const std::optional<workload::PaperFigures>& paper);
std::uint32_t registers_for_residency(const lab::Registers& choice,
                                      const workload::KernelResult& kernel);
/// The same before anything has run, for any of these kernels of a workload; they must outlive it.
std::function<std::uint32_t(const code::FunctionInfo&)> registers_by_kernel(
    const lab::Registers& choice, const std::vector<workload::KernelShape>& kernels);

/// How a workload's kernels are compiled for a machine: to so many registers that a block of each
/// fits on a multiprocessor. Machine and kernels must outlive it.
code::CompileOptions compile_options_for(const gpu::Machine& machine,
                                         const std::vector<workload::KernelShape>& kernels);

}  // namespace heddle
