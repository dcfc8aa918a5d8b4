#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle::cuda {

// Machine code that goes on elsewhere, however far, with all that a function was called with.

#if defined(__x86_64__)
inline constexpr std::size_t kJumpBytes = 13;
#elif defined(__aarch64__)
inline constexpr std::size_t kJumpBytes = 16;
#else
#error "say here how this processor jumps"
#endif

std::array<std::byte, kJumpBytes> jump_to(std::uint64_t target);

}  // namespace heddle::cuda
