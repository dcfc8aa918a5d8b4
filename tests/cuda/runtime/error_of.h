#pragma once

#include "cuda/runtime/error.h"

namespace heddle::cuda {

/// The error that a CUDA call returns if `function` is its body; Error::success if there is none.
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
