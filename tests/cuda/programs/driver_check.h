// Checks for the programs of the driver API: calls that must succeed, and the final result.
#pragma once

#include <cuda.h>

#include <cstdio>
#include <cstdlib>

#include "verdict.h"

inline void require_success(CUresult result, const char* call, int line) {
  if (result == CUDA_SUCCESS) return;
  const char* name = "?";
  cuGetErrorName(result, &name);
  std::printf("line %d: %s: %s\n", line, call, name);
  std::exit(1);
}
#define CALL(call) require_success(call, #call, __LINE__)

/// Initialises the driver and creates a context on the only device.
inline CUcontext begin() {
  CALL(cuInit(0));
  CUdevice device = -1;
  CALL(cuDeviceGet(&device, 0));
  CUcontext context = nullptr;
  CALL(cuCtxCreate(&context, nullptr, 0, device));
  return context;
}

/// Loads a module of PTX and returns one of its kernels.
inline CUfunction load(const char* ptx, const char* kernel) {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CALL(cuModuleLoadData(&module, ptx));
  CALL(cuModuleGetFunction(&function, module, kernel));
  return function;
}

/// Launches `blocks` blocks of `threads` threads.
inline void launch(CUfunction function, unsigned blocks, unsigned threads, void** arguments) {
  CALL(cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr));
}
