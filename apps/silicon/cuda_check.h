#pragma once

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <stdexcept>

namespace heddle::silicon {

/// Thrown if a CUDA call fails.
class CudaError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws CudaError if a call failed. `what` says what the call was for.
inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  throw CudaError(fmt::format("{}: {}", what, cudaGetErrorString(error)));
}

}  // namespace heddle::silicon
