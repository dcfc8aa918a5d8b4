// When a process begins into which this library was preloaded: CUDA's own runtime, where it is
// linked into the program or one of its libraries, is led to ours before the program's own start-up
// code calls it.

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "base/message.h"
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

/// For messages.
std::string name_of(const LoadedObject& object) {
  if (!object.is_program) return object.file;
  std::error_code unknown;
  const std::filesystem::path file = std::filesystem::read_symlink(object.file, unknown);
  return unknown ? object.file : file.string();
}

/// What cannot be run must not look for a real GPU in place of ours.
[[noreturn]] void refuse(const std::string& why) {
  say(why);
  ::_exit(static_cast<int>(ExitCode::bad_input));
}

void look_into(const LoadedObject& object) {
  const MappedFile file(object.file);
  const std::optional<ElfImage> image = ElfImage::read(file.bytes());
  if (!image) return;
  const StaticRuntime runtime = static_runtime_in(*image);
  if (const std::string why = why_not_run(runtime, name_of(object)); !why.empty()) {
    // A library that is merely there may never be used.
    if (object.is_program) refuse(why);
    say(why);
  }
  if (runtime == StaticRuntime::known) redirect(object, *image);
}

__attribute__((constructor)) void begin_of_process() {
  try {
    const std::uint64_t ours = entry_point("cudaMalloc").value();
    for (const LoadedObject& object : loaded_objects()) {
      if (object.code_at(ours) == nullptr) look_into(object);
    }
  } catch (const std::exception& error) {
    refuse(error.what());
  }
}

}  // namespace
}  // namespace heddle::cuda
