#pragma once

#include <filesystem>

namespace heddle {

/// A path to a folder that the dynamic loader can be told in LD_LIBRARY_PATH and LD_PRELOAD, which
/// it takes apart at colons, semicolons and spaces: the folder's own, or where that has some of
/// those in it, a link to it in a folder of this user's among the temporary files. Throws
/// InputError.
std::filesystem::path path_for_loader(const std::filesystem::path& folder);

}  // namespace heddle
