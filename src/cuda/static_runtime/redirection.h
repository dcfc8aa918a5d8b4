#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "cuda/static_runtime/elf_image.h"
#include "cuda/static_runtime/entry_points.h"
#include "cuda/static_runtime/loaded_objects.h"

namespace heddle::cuda {

/// The address of Heddle's replacement for a function; empty if it has none of that name.
using FindReplacement = std::optional<std::uint64_t> (*)(std::string_view name);

/// Redirects the functions of a static library of CUDA's, by default those of the runtime, in a
/// loaded object to Heddle's functions. All functions are redirected, because they share state. If
/// one of them cannot be redirected, throws InputError and changes nothing. Also throws InputError
/// if the system refuses to make changed code executable again. That code can then no longer be
/// called. `image` is the object's file.
void redirect(const LoadedObject& object, const ElfImage& image,
              FindReplacement find = &entry_point);

}  // namespace heddle::cuda
