#pragma once

#include <string>

namespace heddle::cuda {

/// The file of the loaded library that contains an address; empty for an address in the program
/// itself, and for one that is not in a loaded file.
std::string library_at(const void* address);

}  // namespace heddle::cuda
