#pragma once

// Code that a program loads while it runs: PTX, or a fat binary with PTX in it, or what was linked
// of several.

#include <string>
#include <string_view>
#include <vector>

#include "cuda/runtime/session.h"

namespace heddle::cuda {

/// The texts of code that a program points to; `name` is for messages about PTX. Throws Failure.
std::vector<device::PtxSource> sources_of(const void* code, const std::string& name);
/// Those of bytes; nothing after these is looked at. Throws Failure.
std::vector<device::PtxSource> sources_of_bytes(std::string_view bytes, const std::string& name);
/// Those of a file. Throws Failure.
std::vector<device::PtxSource> sources_of_file(const char* file);

/// What is wrong with the texts is found out at once, as CUDA does. Throws Failure.
Module& load_module(Session& session, std::vector<device::PtxSource> texts);
/// Throws Failure for what is no handle of a module.
Module& module_at(Session& session, const void* handle);

}  // namespace heddle::cuda
