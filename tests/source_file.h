#pragma once

#include <string>
#include <string_view>

namespace heddle {

/// The absolute path of a file or folder of the checkout. `path` is relative to the checkout's
/// root. The result does not depend on the folder in which the tests run.
std::string source_file(std::string_view path);

}  // namespace heddle
