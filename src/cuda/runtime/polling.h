#pragma once

#include <cstdint>

#include "code/program.h"

namespace heddle::cuda {

/// Whether a kernel may read device memory again and again until other code changes it: whether it,
/// or a function that it can call, has a loop and reads memory with an atomic or with a load that
/// compilers do not move out of loops.
bool may_poll(const code::Program& program, std::uint32_t kernel);

}  // namespace heddle::cuda
