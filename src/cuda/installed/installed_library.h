#pragma once

// Finds a library of NVIDIA's on the host. Heddle has a library of the same name, which programs
// load instead, and which calls NVIDIA's for work that needs no GPU.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::cuda {

/// A library to be found.
struct LibraryRequest {
  std::string_view stem{};            ///< The file name without its version, such as "libx.so.".
  std::span<const int> versions{};    ///< The newest first.
  const char* function = nullptr;     ///< A function of the library.
  const void* replacement = nullptr;  ///< The function of this name in Heddle's library.
};

/// The files with names of the library, in the order in which they are tried. Heddle's own library,
/// which has these names, too, is not among them.
std::vector<std::string> installed_files(const LibraryRequest& request);
/// Opens the library; null if it is not installed. Prefers one that is already loaded, then the
/// version that the program is linked to, then newer versions.
void* open_installed_library(const LibraryRequest& request);

/// The folders in which open_installed_library() looks, in this order: those in which the dynamic
/// linker looks for libraries of the program, and those of CUDA's toolkit.
std::vector<std::string> library_folders();

}  // namespace heddle::cuda
