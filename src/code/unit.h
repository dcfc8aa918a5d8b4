#pragma once

#include <vector>

#include "code/function.h"
#include "code/program.h"
#include "ptx/module.h"

namespace heddle::code {

/// A program on its way: everything that is known of it but its instructions, and the functions'
/// bodies over virtual registers (bodies[i] is that of program.functions[i]; empty for an extern).
struct Unit {
  Program program;
  std::vector<Function> bodies;
};

/// Links the modules and translates every function into machine operations over virtual registers.
/// What cannot be translated is noted in FunctionInfo::unsupported. Throws InputError where the
/// modules contradict each other (two strong definitions of one name, differing types).
Unit lower(const std::vector<ptx::Module>& modules);

}  // namespace heddle::code
