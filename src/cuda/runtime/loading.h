#pragma once

// Loads code at run time. Code is PTX, a fat binary that contains PTX, or a linked image: the
// result of linking several PTX texts (cuda/fatbin/linked_image.h).

#include <string>
#include <string_view>
#include <vector>

#include "cuda/runtime/session.h"

namespace heddle::cuda {

/// The PTX texts of code at an address. Messages about PTX call it `name`. Throws Failure if the
/// code has no PTX for the device.
std::vector<device::PtxSource> sources_of(const void* code, const std::string& name);
/// As above, but memory beyond `bytes` is not read. Throws Failure also if the code is incomplete.
std::vector<device::PtxSource> sources_of_bytes(std::string_view bytes, const std::string& name);
/// The PTX texts of code in a file. Throws Failure as above, and if the file does not exist.
std::vector<device::PtxSource> sources_of_file(const char* file);

/// Adds a module of PTX texts and compiles it at once, as CUDA does. Throws Failure for errors in
/// the PTX, and then adds nothing.
Module& load_module(Session& session, std::vector<device::PtxSource> texts);
/// The module of a handle. Throws Failure for an invalid handle.
Module& module_at(Session& session, const void* handle);

}  // namespace heddle::cuda
