// A mock of a program that nvcc built with CUDA's static runtime. Its output shows whether its own
// functions or Heddle's were called.

#include <cstdio>

#define LINKED_IN extern "C" __attribute__((noinline, used))

// It is volatile so that the compiler cannot compute the result of a call in advance.
volatile int own_result = 999;

LINKED_IN void** __cudaRegisterFatBinary(void*) {
  std::puts("its own __cudaRegisterFatBinary");
  return nullptr;
}
LINKED_IN int __cudaLaunchKernel() { return own_result; }
#ifdef OLDER_CUDA
LINKED_IN int cudaGetDeviceProperties_v2() { return own_result; }
#endif
LINKED_IN int cudaGetDeviceCount(int* count) {
  *count = own_result;
  return 0;
}
LINKED_IN int cudaStreamQuery_ptsz(void*) { return own_result; }
LINKED_IN int cudaDeviceFlushGPUDirectRDMAWrites(int, int) { return own_result; }
/// A function that CUDA does not have.
LINKED_IN int cudaOfItsOwn() { return own_result; }

__attribute__((section(".nv_fatbin"), used)) const char kernels[] = "none";
__attribute__((used)) const char text[] = "cudaErrorCudartUnloading";

// Registers kernels before main, as nvcc's start-up code does. The wrapper has no valid magic
// number, which matters only when a kernel is looked up.
const long wrapper[3]{};
__attribute__((constructor)) void start() {
  void* shared = const_cast<long*>(wrapper);
  __cudaRegisterFatBinary(shared);
}

#ifdef IN_A_LIBRARY
extern "C" void print_results() {
#else
int main() {
#endif
  int count = 0;
  const int error = cudaGetDeviceCount(&count);
  std::printf("error %d, devices %d, stream %d, flush %d, own %d\n", error, count,
              cudaStreamQuery_ptsz(nullptr), cudaDeviceFlushGPUDirectRDMAWrites(0, 100),
              cudaOfItsOwn());
}
