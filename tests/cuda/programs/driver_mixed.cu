// The runtime and the driver's interface in one program: one device, one memory, one context.
#include <cuda.h>
#include <dlfcn.h>

#include <cstring>

#include "check.h"

#define DRIVER(call) EXPECT((call) == CUDA_SUCCESS)

__device__ int offset = 5;

__global__ void add(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += offset;
}

const char kText[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry twice(.param .u64 values) {\n"
    ".reg .b32 %r<3>; .reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [values]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;\n"
    "add.u64 %rd3, %rd1, %rd2; ld.global.u32 %r2, [%rd3]; add.u32 %r2, %r2, %r2;\n"
    "st.global.u32 [%rd3], %r2; ret; }\n";

using Allocate = CUresult (*)(CUdeviceptr*, size_t);

int main() {
  int* values = nullptr;
  CALL(cudaMalloc(&values, 32 * sizeof(int)));
  CALL(cudaMemset(values, 0, 32 * sizeof(int)));

  // What the runtime has made, the driver has: no cuInit, no context of its own.
  CUcontext current = nullptr, primary = nullptr;
  unsigned flags = 7;
  int active = 0, n = 32;
  DRIVER(cuCtxGetCurrent(&current));
  DRIVER(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT(active == 1 && current != nullptr);
  DRIVER(cuDevicePrimaryCtxRetain(&primary, 0));
  EXPECT(primary == current);

  // A kernel of the program itself, and one that is loaded, on the runtime's memory.
  cudaFunction_t own = nullptr;
  CALL(cudaGetFuncBySymbol(&own, reinterpret_cast<const void*>(add)));
  size_t place = 0, size = 0;
  CALL(cudaFuncGetParamInfo(reinterpret_cast<const void*>(add), 1, &place, &size));
  EXPECT(place == 8 && size == 4);
  EXPECT(cudaFuncGetParamInfo(reinterpret_cast<const void*>(add), 2, &place, &size) ==
         cudaErrorInvalidValue);
  void* arguments[] = {&values, &n};
  DRIVER(cuLaunchKernel(own, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  add<<<1, 32>>>(values, n);
  CUmodule module = nullptr;
  CUfunction twice = nullptr;
  DRIVER(cuModuleLoadData(&module, kText));
  DRIVER(cuModuleGetFunction(&twice, module, "twice"));
  cudaStream_t stream = nullptr;
  CALL(cudaStreamCreate(&stream));
  DRIVER(cuLaunchKernel(twice, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
  DRIVER(cuStreamSynchronize(stream));
  int result[32];
  CALL(cudaMemcpy(result, values, sizeof result, cudaMemcpyDeviceToHost));
  EXPECT(result[0] == 20 && result[31] == 20);
  CUdeviceptr base = 0;
  size_t bytes = 0;
  DRIVER(cuMemGetAddressRange(&base, &bytes, reinterpret_cast<CUdeviceptr>(values) + 8));
  EXPECT(bytes == 32 * sizeof(int));
  EXPECT(cuMemFree(reinterpret_cast<CUdeviceptr>(values)) == CUDA_SUCCESS);
  EXPECT(cudaFree(values) == cudaErrorInvalidValue);
  cudaGetLastError();

  // Errors of the driver's calls are not the runtime's.
  EXPECT(cuMemFree(1) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cudaPeekAtLastError() == cudaSuccess);

  // Functions asked for by name.
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSymbolNotFound;
  CALL(cudaGetDriverEntryPointByVersion("cuMemAlloc", &found, 12000, cudaEnableDefault, &status));
  EXPECT(status == cudaDriverEntryPointSuccess && found == reinterpret_cast<void*>(cuMemAlloc));
  CUdeviceptr memory = 0;
  EXPECT(reinterpret_cast<Allocate>(found)(&memory, 64) == CUDA_SUCCESS);
  CALL(cudaFree(reinterpret_cast<void*>(memory)));
  CALL(cudaGetDriverEntryPointByVersion("cuMemAlloc", &found, 1000, cudaEnableDefault, &status));
  EXPECT(status == cudaDriverEntryPointVersionNotSufficent && found == nullptr);
  CALL(cudaGetDriverEntryPointByVersion("cuNothing", &found, 13000, cudaEnableDefault, &status));
  EXPECT(status == cudaDriverEntryPointSymbolNotFound);
  void* old = nullptr;
  CUdriverProcAddressQueryResult of_driver;
  DRIVER(cuGetProcAddress("cuCtxCreate", &found, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &of_driver));
  DRIVER(cuGetProcAddress("cuCtxCreate", &old, 4000, CU_GET_PROC_ADDRESS_DEFAULT, nullptr));
  EXPECT(found == reinterpret_cast<void*>(cuCtxCreate) && old != nullptr && old != found);
  DRIVER(cuGetProcAddress("cuMemcpyHtoD", &found, 12000,
                          CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, nullptr));
  void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  EXPECT(library != nullptr && found == dlsym(library, "cuMemcpyHtoD_v2_ptds"));
  EXPECT(dlsym(library, "cuLaunchKernel") == reinterpret_cast<void*>(cuLaunchKernel));
  EXPECT(cuGetProcAddress("cuNothing", &found, 13000, 0, &of_driver) == CUDA_SUCCESS &&
         of_driver == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND && found == nullptr);
  EXPECT(cuGetProcAddress("cuNothing", &found, 13000, 0, nullptr) == CUDA_ERROR_NOT_FOUND);

  // The runtime still holds what the driver lets go.
  DRIVER(cuDevicePrimaryCtxRelease(0));
  CALL(cudaMalloc(&values, 4));
  CALL(cudaDeviceReset());
  DRIVER(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT(active == 0);
  return verdict();
}
