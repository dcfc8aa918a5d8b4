#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace heddle::exec {

/// Formats the arguments of a kernel's printf as C's printf does. Types have the sizes of a CUDA
/// program (long has 64 bits). read_value(bytes) returns the bits of the next argument, which has 4
/// or 8 bytes and is aligned to its size, as the compiler places it. `read_string` reads the string
/// of a %s. A conversion that CUDA does not support (%n) is printed unchanged. Adds the number of
/// arguments read to `conversions`.
std::string format_device_printf(std::string_view format,
                                 const std::function<std::uint64_t(int bytes)>& read_value,
                                 const std::function<std::string(std::uint64_t)>& read_string,
                                 int& conversions);

}  // namespace heddle::exec
