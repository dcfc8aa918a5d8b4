#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "code/allocate/allocate.h"
#include "code/multiply_add.h"
#include "code/placement/hierarchy.h"
#include "code/program.h"
#include "ptx/module.h"

namespace heddle::code {

/// What compile() does besides a plain translation.
struct CompileOptions {
  /// The maximum number of registers per thread. 0: the hardware's 255, or the limit that .maxnreg
  /// and .maxntid imply.
  std::uint32_t max_registers = 0;
  /// If set, returns the maximum number of registers per thread of a kernel (0: no limit), so that
  /// its blocks fit on a multiprocessor. Device functions get the lowest limit of all kernels.
  std::function<std::uint32_t(std::string_view kernel)> register_limit_of_kernel{};
  /// Whether the passes of optimise() are run. Without them, the machine code has nearly one
  /// instruction for each instruction of the PTX.
  bool optimisation = true;
  /// Whether kernel parameters are read as operands without `optimisation`, too, and conversions of
  /// global addresses take no instruction.
  bool parameter_operands = false;
  /// Whether short branch paths become predicated instructions; only with `optimisation`.
  bool predication = true;
  /// Whether optimise() makes multiply-adds. Those that the PTX contains are executed in any case.
  MultiplyAdd multiply_add = MultiplyAdd::fused;
  /// Whether instructions of a block are reordered, so that results are available when needed.
  bool scheduling = true;
  /// The number of instructions that the allocator tries to leave between the last read of a
  /// register and the next write to it.
  std::uint32_t register_reuse_distance = kDefaultReuseDistance;
  /// The hierarchy of register files for which values are placed. Empty: values are not placed.
  std::optional<Hierarchy> hierarchy{};
  /// If set, says which instructions are long-latency operations. Instructions that need a pending
  /// result of one are then marked (InstructionPlacement::suspends).
  IsLongLatency suspends_on = nullptr;
};

/// Compiles PTX modules to machine code: linking, lowering, optimisation, register allocation,
/// assembly.
Program compile(const std::vector<ptx::Module>& modules, const CompileOptions& options = {});

}  // namespace heddle::code
