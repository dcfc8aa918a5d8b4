#include "cuda/static_runtime/static_runtime.h"

#include <fmt/format.h>

namespace heddle::cuda {

namespace {

/// There are kernels, and a text of the runtime's that programs do not have themselves.
bool shows_without_symbols(const ElfImage& image) {
  return image.has_section(".nv_fatbin") && !image.needs_library("libcudart.so.") &&
         image.has_text("cudaErrorCudartUnloading");
}

}  // namespace

StaticRuntime static_runtime_in(const ElfImage& image) {
  if (!image.defines("__cudaRegisterFatBinary")) {
    return shows_without_symbols(image) ? StaticRuntime::stripped : StaticRuntime::absent;
  }
  // With 13 came launches by handle, and went the two generations of cudaGetDeviceProperties.
  const bool is_13 =
      image.defines("__cudaLaunchKernel") && !image.defines("cudaGetDeviceProperties_v2");
  return is_13 ? StaticRuntime::known : StaticRuntime::other;
}

std::string why_not_run(StaticRuntime runtime, std::string_view program) {
  switch (runtime) {
    case StaticRuntime::stripped:
      return fmt::format(
          "'{}' has CUDA's own runtime linked into it and no symbol table to find it by; link it "
          "without -s, do not strip it, or build it with: nvcc -cudart shared",
          program);
    case StaticRuntime::other:
      return fmt::format(
          "'{}' has the runtime of another CUDA than 13 linked into it; build it with CUDA 13, or "
          "with CUDA 12 and: nvcc -cudart shared",
          program);
    case StaticRuntime::absent:
    case StaticRuntime::known:
      break;
  }
  return "";
}

}  // namespace heddle::cuda
