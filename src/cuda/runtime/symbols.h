#pragma once

#include "cuda/runtime/row_copies.h"

namespace heddle::cuda {

/// The place of a part of a variable of a program's device code. Throws Failure if the part exceeds
/// the variable.
LinearPlace part_of(Session& session, const void* variable, std::size_t bytes, std::size_t offset);

}  // namespace heddle::cuda
