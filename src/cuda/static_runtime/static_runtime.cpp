#include "cuda/static_runtime/static_runtime.h"

#include <fmt/format.h>

namespace heddle::cuda {

namespace {

/// Recognises the static runtime without symbols: the file has kernels, and a text that occurs only
/// in the runtime.
bool has_stripped_runtime(const ElfImage& image) {
  return image.has_section(".nv_fatbin") && !image.needs_library("libcudart.so.") &&
         image.has_text("cudaErrorCudartUnloading");
}

}  // namespace

StaticRuntime static_runtime_in(const ElfImage& image) {
  if (!image.defines("__cudaRegisterFatBinary")) {
    return has_stripped_runtime(image) ? StaticRuntime::stripped : StaticRuntime::absent;
  }
  // CUDA 13 added launches by handle, and removed cudaGetDeviceProperties_v2.
  const bool is_13 =
      image.defines("__cudaLaunchKernel") && !image.defines("cudaGetDeviceProperties_v2");
  return is_13 ? StaticRuntime::replaceable : StaticRuntime::other_version;
}

std::string unsupported_reason(StaticRuntime runtime, std::string_view program) {
  switch (runtime) {
    case StaticRuntime::stripped:
      return fmt::format(
          "'{}' is linked with CUDA's static runtime and has no symbol table; link it without -s, "
          "do not strip it, or build it with: nvcc -cudart shared",
          program);
    case StaticRuntime::other_version:
      return fmt::format(
          "'{}' is linked with the static runtime of a CUDA version other than 13; build it with "
          "CUDA 13, or with CUDA 12 and: nvcc -cudart shared",
          program);
    case StaticRuntime::absent:
    case StaticRuntime::replaceable:
      break;
  }
  return "";
}

}  // namespace heddle::cuda
