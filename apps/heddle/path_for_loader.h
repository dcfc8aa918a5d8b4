#pragma once

#include <filesystem>

namespace heddle {

/// A path of the folder that is valid in LD_LIBRARY_PATH and LD_PRELOAD. The dynamic loader splits
/// these variables at colons, semicolons and spaces. If the folder's path contains such a
/// character, creates a symbolic link to the folder, below the temporary folder, and returns the
/// link's path. Throws InputError if the link cannot be created.
std::filesystem::path path_for_loader(const std::filesystem::path& folder);

}  // namespace heddle
