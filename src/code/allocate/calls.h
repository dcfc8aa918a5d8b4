#pragma once

#include <cstdint>
#include <vector>

#include "code/function.h"

namespace heddle::code {

/// A called function may overwrite every register: what lives across a call is put on the stack
/// before it and taken back after it. For allocated code; `registers` is how many it names so far,
/// and the result how many then. It leaves the `reserved` ones alone.
std::uint32_t save_across_calls(Function& function, std::uint32_t registers,
                                const std::vector<std::uint32_t>& reserved);

}  // namespace heddle::code
