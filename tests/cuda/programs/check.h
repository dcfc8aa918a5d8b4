// Checks for the programs of the runtime API: calls that must succeed, and the final result.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "verdict.h"

inline void require_success(cudaError_t error, const char* call, int line) {
  if (error == cudaSuccess) return;
  std::printf("line %d: %s: %s\n", line, call, cudaGetErrorString(error));
  std::exit(1);
}
#define CALL(call) require_success(call, #call, __LINE__)
