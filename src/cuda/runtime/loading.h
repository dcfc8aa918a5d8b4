#pragma once

// Loads code at run time: PTX, a fat binary with PTX, or a linked image of several texts.

#include <string>
#include <string_view>
#include <vector>

#include "cuda/runtime/session.h"

namespace heddle::cuda {

/// The PTX texts of code at an address; `name` is used in messages about PTX. Throws Failure.
std::vector<device::PtxSource> sources_of(const void* code, const std::string& name);
/// The PTX texts of code in `bytes`; memory beyond them is not read. Throws Failure.
std::vector<device::PtxSource> sources_of_bytes(std::string_view bytes, const std::string& name);
/// The PTX texts of code in a file. Throws Failure.
std::vector<device::PtxSource> sources_of_file(const char* file);

/// Loads a module and compiles it at once, as CUDA does, to find errors. Throws Failure.
Module& load_module(Session& session, std::vector<device::PtxSource> texts);
/// The module of a handle. Throws Failure for an invalid handle.
Module& module_at(Session& session, const void* handle);

}  // namespace heddle::cuda
