#pragma once

#include "cuda/static_runtime/elf_image.h"
#include "cuda/static_runtime/loaded_objects.h"

namespace heddle::cuda {

/// Redirects the functions of CUDA's static runtime in a loaded object to Heddle's functions. All
/// functions are redirected, because they share state. If one of them cannot be redirected, throws
/// InputError and changes nothing. Also throws InputError if the system refuses to make changed
/// code executable again. That code can then no longer be called. `image` is the object's file.
void redirect(const LoadedObject& object, const ElfImage& image);

}  // namespace heddle::cuda
