#pragma once

#include <vector>

#include "code/function.h"
#include "code/program.h"
#include "ptx/module.h"

namespace heddle::code {

/// A program during compilation: `program` without instructions, and the functions' bodies over
/// virtual registers. bodies[i] is the body of program.functions[i]; an extern's is empty.
struct Unit {
  Program program;
  std::vector<Function> bodies;
};

/// Links the modules and translates every function into machine operations over virtual registers.
/// Instructions that cannot be translated are recorded in FunctionInfo::unsupported. Throws
/// InputError if the modules contradict each other (two strong definitions of one name, differing
/// types).
Unit lower(const std::vector<ptx::Module>& modules);

}  // namespace heddle::code
