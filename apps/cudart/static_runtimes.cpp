// The program or one of its libraries may contain CUDA's static runtime, or nvrtc. This file
// redirects the calls of these to this library. It does so when a process starts with this library
// preloaded, before the program's start-up code calls the static runtime.

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "base/message.h"
#include "cuda/nvrtc/static_compiler.h"
#include "cuda/other_libraries/product.h"
#include "cuda/runtime/session.h"
#include "cuda/static_runtime/elf_image.h"
#include "cuda/static_runtime/entry_points.h"
#include "cuda/static_runtime/loaded_objects.h"
#include "cuda/static_runtime/mapped_file.h"
#include "cuda/static_runtime/redirection.h"
#include "cuda/static_runtime/static_runtime.h"
#include "exit_code.h"

namespace heddle::cuda {
namespace {

/// The object's name in messages: for the program, the file that /proc/self/exe points to.
std::string name_of(const LoadedObject& object) {
  if (!object.is_program) return object.file;
  std::error_code unknown;
  const std::filesystem::path file = std::filesystem::read_symlink(object.file, unknown);
  return unknown ? object.file : file.string();
}

/// Ends the process. Otherwise the program would use a real GPU instead of the simulated one.
[[noreturn]] void refuse(const std::string& why) {
  say(why);
  ::_exit(static_cast<int>(ExitCode::bad_input));
}

void redirect_static_libraries(const LoadedObject& object) {
  const MappedFile file(object.file);
  const std::optional<ElfImage> image = ElfImage::read(file.bytes());
  if (!image) return;
  const StaticRuntime runtime = static_runtime_in(*image);
  if (const std::string why = unsupported_reason(runtime, name_of(object)); !why.empty()) {
    if (object.is_program) refuse(why);
    // A library may be loaded but never used, so its runtime is only reported. The user cannot
    // build NVIDIA's libraries: they are reported when they are used (cuda/other_libraries).
    if (product_of(object.file).empty()) say(why);
  }
  if (runtime == StaticRuntime::replaceable) redirect(object, *image);
  nvrtc::redirect_static_compiler(object, *image);
}

__attribute__((constructor)) void redirect_loaded_objects() {
  try {
    // An address in this library, which must not be redirected to itself.
    const std::uint64_t ours = entry_point("cudaMalloc").value();
    for (const LoadedObject& object : loaded_objects()) {
      if (object.code_at(ours) == nullptr) redirect_static_libraries(object);
    }
  } catch (const std::exception& error) {
    refuse(error.what());
  }
}

}  // namespace
}  // namespace heddle::cuda
