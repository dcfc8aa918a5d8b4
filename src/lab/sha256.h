#pragma once

#include <string>
#include <string_view>

namespace heddle::lab {

/// The SHA-256 digest (FIPS 180-4) of `data` in 64 hexadecimal digits.
std::string sha256(std::string_view data);

}  // namespace heddle::lab
