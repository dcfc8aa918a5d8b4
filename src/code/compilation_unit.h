#pragma once

#include <vector>

#include "code/function.h"
#include "code/program.h"
#include "ptx/module.h"

namespace heddle::code {

/// A compilation unit: a program that is being compiled. Its functions are not in `program` yet,
/// but in `bodies`, over virtual registers.
struct CompilationUnit {
  Program program;               ///< Without instructions.
  std::vector<Function> bodies;  ///< By index in program.functions; empty for an extern function.
};

/// Links the modules and translates every function into machine operations over virtual registers.
/// Instructions that cannot be translated are recorded in FunctionInfo::unsupported. Throws
/// InputError if the modules contradict each other (two strong definitions of one name, differing
/// types).
CompilationUnit lower(const std::vector<ptx::Module>& modules);

}  // namespace heddle::code
