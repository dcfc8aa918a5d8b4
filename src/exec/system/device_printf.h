#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace heddle::exec {

/// Formats the arguments of a kernel's printf as C's printf does, with a CUDA program's types (long
/// has 64 bits). `read_value` returns the bits of the next argument, of 4 or 8 bytes, aligned to
/// its size as the compiler lays it out. `read_string` reads the string of a %s. Conversions that
/// CUDA does not support (%n) are printed unchanged. The number of arguments used is added to
/// `conversions`.
std::string format_device_printf(std::string_view format,
                                 const std::function<std::uint64_t(int bytes)>& read_value,
                                 const std::function<std::string(std::uint64_t)>& read_string,
                                 int& conversions);

}  // namespace heddle::exec
