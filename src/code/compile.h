#pragma once

#include <cstdint>
#include <vector>

#include "code/program.h"
#include "ptx/module.h"

namespace heddle::code {

struct CompileOptions {
  /// Registers a thread may have; 0: the hardware's 255, or what .maxnreg and .maxntid ask for.
  std::uint32_t max_registers = 0;
};

/// From linked modules to machine code: lowering, optimisation, register allocation, assembly.
Program compile(const std::vector<ptx::Module>& modules, const CompileOptions& options = {});

}  // namespace heddle::code
