#pragma once

#include "cuda/static_runtime/elf_image.h"
#include "cuda/static_runtime/loaded_objects.h"

namespace heddle::cuda::nvrtc {

/// Redirects the functions of nvrtc that are linked into a loaded object (libnvrtc_static.a) to
/// Heddle's, which use the compiler that is installed. Changes nothing if the object has no
/// symbols, if it has functions that Heddle does not know, or if no compiler is installed: the
/// program then uses its own compiler. `image` is the object's file.
void redirect_static_compiler(const LoadedObject& object, const ElfImage& image);

}  // namespace heddle::cuda::nvrtc
