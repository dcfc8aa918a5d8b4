#pragma once

// Fills of rows of device memory with values of one, two or four bytes.

#include "cuda/graphs/abi.h"
#include "cuda/runtime/session.h"

namespace heddle::cuda {

void fill(Session& session, const abi::Fill& requested);
/// Throws Failure if fill() would reject the fill.
void check_fill(const abi::Fill& requested);

}  // namespace heddle::cuda
