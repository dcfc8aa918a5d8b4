// Stands for a program that nvcc built with its default, CUDA's runtime linked in. What it says
// tells whose functions were called.

#include <cstdio>

#define LINKED_IN extern "C" __attribute__((noinline, used))

// So that no compiler answers a call itself.
volatile int answer = 999;

LINKED_IN void** __cudaRegisterFatBinary(void*) {
  std::puts("its own __cudaRegisterFatBinary");
  return nullptr;
}
LINKED_IN int __cudaLaunchKernel() { return answer; }
#ifdef OF_AN_OLDER_CUDA
LINKED_IN int cudaGetDeviceProperties_v2() { return answer; }
#endif
LINKED_IN int cudaGetDeviceCount(int* count) {
  *count = answer;
  return 0;
}
LINKED_IN int cudaStreamQuery_ptsz(void*) { return answer; }
LINKED_IN int cudaGraphCreate(void**, unsigned) { return answer; }
/// None of CUDA's.
LINKED_IN int cudaOfItsOwn() { return answer; }

__attribute__((section(".nv_fatbin"), used)) const char kernels[] = "none";
__attribute__((used)) const char text[] = "cudaErrorCudartUnloading";

// As nvcc's start-up code does, before main. The wrapper's first word is wrong, which only matters
// when a kernel is asked for.
const long wrapper[3]{};
__attribute__((constructor)) void start() {
  void* shared = const_cast<long*>(wrapper);
  __cudaRegisterFatBinary(shared);
}

#ifdef IN_A_LIBRARY
extern "C" void tell() {
#else
int main() {
#endif
  int count = 0;
  const int error = cudaGetDeviceCount(&count);
  std::printf("error %d, devices %d, stream %d, graph %d, own %d\n", error, count,
              cudaStreamQuery_ptsz(nullptr), cudaGraphCreate(nullptr, 0), cudaOfItsOwn());
}
