// The runtime's calls for errors.

#include <utility>

#include "cuda/runtime/call.h"

namespace heddle::cuda {

HEDDLE_CUDA_EXPORT const char* cudaGetErrorName(Error error) {
  const char* const name = name_of(error);
  return name == nullptr ? "unrecognized error code" : name;
}

HEDDLE_CUDA_EXPORT const char* cudaGetErrorString(Error error) {
  const char* const text = text_of(error);
  return text == nullptr ? "unrecognized error code" : text;
}

/// Clears the thread's error. A fault of a kernel remains until cudaDeviceReset.
HEDDLE_CUDA_EXPORT Error cudaGetLastError() { return std::exchange(last_error(), Error::success); }

HEDDLE_CUDA_EXPORT Error cudaPeekAtLastError() { return last_error(); }

}  // namespace heddle::cuda
