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

/// Throws InputError if the registers that a paper states are requested and no paper states them
/// for these kernels.
void check_register_choice(const lab::RegisterChoice& choice, std::string_view workload,
                           const std::vector<workload::KernelDeclaration>& kernels);
/// The registers per thread that decide how many blocks of a kernel are resident on a
/// multiprocessor. `compiled`: the count of the compiled kernel. It also applies if the paper's
/// count is requested and `paper` is empty.
std::uint32_t registers_for_residency(const lab::RegisterChoice& choice, std::uint32_t compiled,
                                      const std::optional<workload::PaperResources>& paper);
std::uint32_t registers_for_residency(const lab::RegisterChoice& choice,
                                      const workload::KernelResult& kernel);
/// Returns a function that maps a kernel to its registers_for_residency(). `kernels` must outlive
/// the function.
std::function<std::uint32_t(const code::FunctionInfo&)> residency_registers_by_kernel(
    const lab::RegisterChoice& choice, const std::vector<workload::KernelDeclaration>& kernels);

/// The options that compile a workload's kernels for a machine. They limit each kernel's registers
/// so that at least one block fits on a multiprocessor. Machine and kernels must outlive the
/// options.
code::CompileOptions compile_options_for(const gpu::Machine& machine,
                                         const std::vector<workload::KernelDeclaration>& kernels);

}  // namespace heddle
