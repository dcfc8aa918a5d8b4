#pragma once

#include <string>
#include <string_view>

namespace heddle {

/// Where a file or folder of the checkout is, whatever folder the tests run in.
std::string source_file(std::string_view path);

}  // namespace heddle
