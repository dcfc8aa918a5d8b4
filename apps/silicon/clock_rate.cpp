#include "clock_rate.h"

#include <array>
#include <cstdint>

#include "cuda_check.h"

namespace heddle::silicon {
namespace {

/// A kernel that waits for `time` nanoseconds and writes the cycles and the nanoseconds that
/// passed.
constexpr const char* kPtx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry count_cycles(.param .u64 out, .param .u64 time)
{
  .reg .pred %p;
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd8, [time];
  mov.u64 %rd2, %globaltimer;
  mov.u64 %rd3, %clock64;
WAIT:
  mov.u64 %rd4, %globaltimer;
  mov.u64 %rd5, %clock64;
  sub.u64 %rd6, %rd4, %rd2;
  setp.lt.u64 %p, %rd6, %rd8;
  @%p bra WAIT;
  sub.u64 %rd7, %rd5, %rd3;
  st.global.u64 [%rd1], %rd7;
  st.global.u64 [%rd1+8], %rd6;
  ret;
}
)";

}  // namespace

double measure_clock_rate(std::chrono::milliseconds time) {
  cudaLibrary_t library = nullptr;
  check(cudaLibraryLoadData(&library, kPtx, nullptr, nullptr, 0, nullptr, nullptr, 0),
        "loading the clock's kernel");
  cudaKernel_t kernel = nullptr;
  check(cudaLibraryGetKernel(&kernel, library, "count_cycles"), "finding the clock's kernel");
  void* out = nullptr;
  check(cudaMalloc(&out, 16), "allocating device memory");
  auto nanoseconds = static_cast<std::uint64_t>(std::chrono::nanoseconds(time).count());
  void* arguments[] = {&out, &nanoseconds};
  check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3{1, 1, 1}, dim3{1, 1, 1},
                         arguments, 0, nullptr),
        "launching the clock's kernel");
  std::array<std::uint64_t, 2> counted{};
  check(cudaMemcpy(counted.data(), out, 16, cudaMemcpyDeviceToHost), "reading the clock");
  check(cudaFree(out), "freeing device memory");
  check(cudaLibraryUnload(library), "unloading the clock's kernel");
  return static_cast<double>(counted[0]) / static_cast<double>(counted[1]) * 1e9;
}

}  // namespace heddle::silicon
