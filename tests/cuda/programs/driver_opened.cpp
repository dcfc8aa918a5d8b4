// A program that opens the driver with dlopen() and gets its functions by name. Several of its
// threads launch kernels.
#include <cuda.h>
#include <dlfcn.h>

#include <cstdio>
#include <thread>
#include <vector>

const char kText[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry count(.param .u64 to) { .reg .b32 %r<3>; .reg .b64 %rd<2>;\n"
    "ld.param.u64 %rd1, [to]; mov.u32 %r1, 1; atom.global.add.u32 %r2, [%rd1], %r1; ret; }\n";

using GetFunction = decltype(&cuGetProcAddress);
GetFunction get_function = nullptr;

bool check(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return true;
  std::printf("%s: error %d\n", what, static_cast<int>(result));
  return false;
}

/// A function of the driver, in the version of the CUDA headers that this program includes.
template <class Function>
Function driver(const char* name) {
  void* found = nullptr;
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  check(get_function(name, &found, CUDA_VERSION, CU_GET_PROC_ADDRESS_DEFAULT, &status), name);
  if (status != CU_GET_PROC_ADDRESS_SUCCESS) std::printf("%s: not found\n", name);
  return reinterpret_cast<Function>(found);
}
#define DRIVER(name) driver<decltype(&name)>(#name)

int main() {
  // Open and close the library once, as programs do that look for a driver. Then open it for use.
  void* const probed = dlopen("libcuda.so.1", RTLD_NOW);
  if (probed == nullptr) {
    std::printf("%s\n", dlerror());
    return 1;
  }
  dlclose(probed);
  void* const library = dlopen("libcuda.so", RTLD_NOW | RTLD_LOCAL);
  get_function = reinterpret_cast<GetFunction>(dlsym(library, "cuGetProcAddress_v2"));

  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction count = nullptr;
  CUdeviceptr counter = 0;
  bool right = check(DRIVER(cuInit)(0), "cuInit") &&
               check(DRIVER(cuDevicePrimaryCtxRetain)(&context, 0), "cuDevicePrimaryCtxRetain") &&
               check(DRIVER(cuCtxSetCurrent)(context), "cuCtxSetCurrent") &&
               check(DRIVER(cuModuleLoadData)(&module, kText), "cuModuleLoadData") &&
               check(DRIVER(cuModuleGetFunction)(&count, module, "count"), "cuModuleGetFunction") &&
               check(DRIVER(cuMemAlloc)(&counter, 4), "cuMemAlloc") &&
               check(DRIVER(cuMemsetD32)(counter, 0, 1), "cuMemsetD32");
  if (!right) return 1;
  dlclose(library);  // The library must stay loaded, and its device must keep its state.

  const auto set_current = DRIVER(cuCtxSetCurrent);
  const auto launch = DRIVER(cuLaunchKernel);
  std::vector<CUresult> without_context(4), results(4);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < results.size(); ++i) {
    threads.emplace_back([&, i] {
      void* arguments[] = {&counter};
      without_context[i] = launch(count, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
      results[i] = set_current(context);
      for (int n = 0; n < 20 && results[i] == CUDA_SUCCESS; ++n) {
        results[i] = launch(count, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < results.size(); ++i) {
    right = right && without_context[i] == CUDA_ERROR_INVALID_CONTEXT && results[i] == CUDA_SUCCESS;
  }
  unsigned counted = 0;
  right = right && check(DRIVER(cuMemcpyDtoH)(&counted, counter, 4), "cuMemcpyDtoH") &&
          check(DRIVER(cuDevicePrimaryCtxRelease)(0), "cuDevicePrimaryCtxRelease");
  right = right && counted == 4 * 20 * 32;
  std::printf(right ? "passed\n" : "FAILED\n");
  return right ? 0 : 1;
}
