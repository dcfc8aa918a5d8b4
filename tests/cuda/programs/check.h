// What every program here needs: calls that must succeed, values that must be right, and a verdict.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

inline int failures = 0;

inline void require_success(cudaError_t error, const char* call, int line) {
  if (error == cudaSuccess) return;
  std::printf("line %d: %s: %s\n", line, call, cudaGetErrorString(error));
  std::exit(1);
}
#define CALL(call) require_success(call, #call, __LINE__)

inline void expect(bool right, const char* what, int line) {
  if (right) return;
  std::printf("line %d: not so: %s\n", line, what);
  ++failures;
}
#define EXPECT(what) expect(what, #what, __LINE__)

inline int verdict() {
  std::printf(failures == 0 ? "passed\n" : "FAILED\n");
  return failures == 0 ? 0 : 1;
}
