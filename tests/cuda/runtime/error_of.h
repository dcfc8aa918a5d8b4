#pragma once

#include "cuda/runtime/error.h"

namespace heddle::cuda {

/// The error that a CUDA call with this body returns.
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
