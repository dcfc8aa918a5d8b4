#pragma once

#include "cuda/static_runtime/elf_image.h"
#include "cuda/static_runtime/loaded_objects.h"

namespace heddle::cuda {

/// Leads the functions of CUDA's runtime that are linked into a loaded object to ours: all of them,
/// so that none works on a state that the others do not know. `image` is the object's file. Throws
/// InputError, and has changed nothing, where that cannot be done.
void redirect(const LoadedObject& object, const ElfImage& image);

}  // namespace heddle::cuda
