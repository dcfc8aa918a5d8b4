#pragma once

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <stdexcept>

namespace heddle::silicon {

/// A CUDA call failed.
class CudaError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  throw CudaError(fmt::format("{}: {}", what, cudaGetErrorString(error)));
}

}  // namespace heddle::silicon
