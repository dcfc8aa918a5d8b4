#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle::cuda {

// Machine code that jumps to any address and leaves a function's arguments unchanged.

#if defined(__x86_64__)
inline constexpr std::size_t kJumpBytes = 13;
#elif defined(__aarch64__)
inline constexpr std::size_t kJumpBytes = 16;
#else
#error "add the size of an absolute jump on this processor"
#endif

std::array<std::byte, kJumpBytes> jump_to(std::uint64_t target);

}  // namespace heddle::cuda
