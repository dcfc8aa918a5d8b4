#pragma once

#include "cuda/runtime/error.h"

namespace heddle::cuda {

/// What a caller of CUDA's would be told of what the function does.
template <class Function>
Error error_of(Function function) {
  try {
    function();
    return Error::success;
  } catch (const Failure& failure) {
    return failure.error;
  }
}

}  // namespace heddle::cuda
