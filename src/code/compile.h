#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "code/allocate/allocate.h"
#include "code/placement/hierarchy.h"
#include "code/program.h"
#include "ptx/module.h"

namespace heddle::code {

struct CompileOptions {
  /// Registers a thread may have; 0: the hardware's 255, or what .maxnreg and .maxntid ask for.
  std::uint32_t max_registers = 0;
  /// The same for one kernel (0: no limit), so that its blocks fit on a multiprocessor. What
  /// kernels call keeps to the lowest of their limits.
  std::function<std::uint32_t(std::string_view kernel)> registers_of_kernel{};
  /// Short sides of branches become instructions with predicates.
  bool predication = true;
  /// Instructions of a block are moved apart, so that results are there when they are read.
  bool scheduling = true;
  /// So many instructions a register rests before it is written again, where it can.
  std::uint32_t registers_rest = kUsualRest;
  /// Values are placed in these levels of register files.
  std::optional<Hierarchy> hierarchy{};
  /// Where it is given: what waits for such results is marked (InstructionPlacement::suspends).
  IsLongLatency marks_waits_for = nullptr;
};

/// From linked modules to machine code: lowering, optimisation, register allocation, assembly.
Program compile(const std::vector<ptx::Module>& modules, const CompileOptions& options = {});

}  // namespace heddle::code
