#pragma once

// The constant bank that a launch fills and that instructions read as an operand, like the bank 0
// of the hardware: what every thread of a launch sees alike. Offsets are in bytes.

#include <cstdint>

namespace heddle::code::launch_constants {

inline constexpr std::uint32_t kBlockExtentX = 0x00;  ///< %ntid
inline constexpr std::uint32_t kBlockExtentY = 0x04;
inline constexpr std::uint32_t kBlockExtentZ = 0x08;
inline constexpr std::uint32_t kGridExtentX = 0x0c;  ///< %nctaid
inline constexpr std::uint32_t kGridExtentY = 0x10;
inline constexpr std::uint32_t kGridExtentZ = 0x14;
/// %envreg1 and %envreg2, as nvcc's cooperative groups read them: the upper and lower half of the
/// address where the blocks of a cooperative launch meet; 0 in other launches.
inline constexpr std::uint32_t kGridWorkspaceHigh = 0x18;
inline constexpr std::uint32_t kGridWorkspaceLow = 0x1c;
inline constexpr std::uint32_t kParameters =
    0x160;  ///< The kernel's parameters, as they are laid out.
inline constexpr std::uint32_t kLargestParameterBytes = 32764;

}  // namespace heddle::code::launch_constants
