#pragma once

#include <filesystem>

namespace heddle {

/// A path to a folder that is valid in LD_LIBRARY_PATH and LD_PRELOAD. The dynamic loader splits
/// these at colons, semicolons and spaces. A folder whose path contains such a character gets a
/// symbolic link in a folder of this user below the temporary folder. Throws InputError.
std::filesystem::path path_for_loader(const std::filesystem::path& folder);

}  // namespace heddle
