#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace heddle::exec {

/// Formats what a kernel's printf was given, as C's printf does with a CUDA program's types (long
/// is 64 bits wide). `read_value` returns the next argument's bits of the given size (4 or 8
/// bytes), each aligned to its size as the compiler lays them out; `read_string` follows a %s.
/// A conversion that CUDA does not know (%n) is printed as it stands. Counts into `conversions` how
/// many arguments were used.
std::string format_device_printf(std::string_view format,
                                 const std::function<std::uint64_t(int bytes)>& read_value,
                                 const std::function<std::string(std::uint64_t)>& read_string,
                                 int& conversions);

}  // namespace heddle::exec
