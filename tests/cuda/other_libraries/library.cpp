// A stand-in for a library with kernels for GPUs that Heddle cannot run. It asks the driver for
// undocumented functions, as NVIDIA's libraries do, and fails without them.

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "cuda/fatbin/fat_binary_bytes.h"

#define EXPORTED extern "C" __attribute__((visibility("default"), noinline))

namespace {

template <class Function>
Function* function_of(const char* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(dlopen(library, RTLD_NOW), name));
}

/// It is volatile so that the compiler does not see that it is null.
char* volatile null = nullptr;

__attribute__((section(".nv_fatbin"), used)) const char kernels[] = "none";
#ifdef STATIC_RUNTIME
/// A text by which CUDA's static runtime is recognised.
__attribute__((used)) const char text[] = "cudaErrorCudartUnloading";
#endif

}  // namespace

EXPORTED int create() {
  const void* table = nullptr;
  const char identity[16]{};
  if (function_of<int(unsigned)>("libcuda.so.1", "cuInit")(0) != 0) return 1;
  const auto find = function_of<int(const void**, const void*)>("libcuda.so.1", "cuGetExportTable");
  return find(&table, identity) == 0 ? 0 : 2;
}

EXPORTED int crash() {
  *null = 1;
  return 0;
}

/// Crashes in a function of the C library.
EXPORTED int crash_below() { return static_cast<int>(std::strlen(null)); }

EXPORTED int give_up() { std::abort(); }

/// Launches a kernel of which there is only machine code.
EXPORTED int launch() {
  using heddle::cuda::FatBinaryBytes;
  FatBinaryBytes binary =
      FatBinaryBytes().add({.kind = heddle::cuda::kElfKind, .sm = 80, .payload = "machine code"});
  // The fat binary must be in the library's memory.
  alignas(8) static std::byte content[256];
  std::memcpy(content, binary.bytes().data(), binary.bytes().size());
  static struct {
    std::uint32_t magic = 0x4662'43b1, version = 1;
    const void* data = content;
    const void* prelinked = nullptr;
  } wrapper;
  constexpr const char* kRuntime = "libcudart.so.13";
  void** const module = function_of<void**(void*)>(kRuntime, "__cudaRegisterFatBinary")(&wrapper);
  using Register =
      void(void**, const void*, const char*, const char*, int, void*, void*, void*, void*, int*);
  function_of<Register>(kRuntime, "__cudaRegisterFunction")(
      module, &wrapper, "kernel", "kernel", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  struct Extent {
    unsigned x = 1, y = 1, z = 1;
  };
  using Launch = int(const void*, Extent, Extent, void**, std::size_t, void*);
  return function_of<Launch>(kRuntime, "cudaLaunchKernel")(&wrapper, {}, {}, nullptr, 0, nullptr);
}
