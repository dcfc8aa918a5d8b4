#pragma once

#include <cstdint>

namespace heddle::code {

/// The lowest limit on a thread's registers for which kernels can be compiled. A lower one would
/// leave too few for the operands of 64-bit instructions.
inline constexpr std::uint32_t kMinRegisters = 16;
/// The hardware's limit on a thread's registers.
inline constexpr std::uint32_t kMaxRegisters = 255;

}  // namespace heddle::code
