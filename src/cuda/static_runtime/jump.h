#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle::cuda {

// Machine code that jumps to any address, and leaves the registers with arguments unchanged.

#if defined(__x86_64__)
inline constexpr std::size_t kJumpBytes = 13;
#elif defined(__aarch64__)
inline constexpr std::size_t kJumpBytes = 16;
#else
#error "add the size of an absolute jump on this processor"
#endif

/// The machine code of a jump to the address `target`.
std::array<std::byte, kJumpBytes> jump_to(std::uint64_t target);

}  // namespace heddle::cuda
