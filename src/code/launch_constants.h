#pragma once

// Layout of the launch constants: the constant bank that each launch fills, like bank 0 of the
// hardware. It holds values that are the same for all threads of a launch. Instructions read them
// as operands (Operand::Kind::constant). Offsets are in bytes.

#include <cstdint>

namespace heddle::code::launch_constants {

inline constexpr std::uint32_t kBlockExtentX = 0x00;  ///< %ntid
inline constexpr std::uint32_t kBlockExtentY = 0x04;
inline constexpr std::uint32_t kBlockExtentZ = 0x08;
inline constexpr std::uint32_t kGridExtentX = 0x0c;  ///< %nctaid
inline constexpr std::uint32_t kGridExtentY = 0x10;
inline constexpr std::uint32_t kGridExtentZ = 0x14;
/// %envreg1 and %envreg2, as nvcc's cooperative groups read them: the upper and lower half of the
/// address of the workspace in which the blocks of a cooperative launch synchronise. 0 in other
/// launches.
inline constexpr std::uint32_t kGridWorkspaceHigh = 0x18;
inline constexpr std::uint32_t kGridWorkspaceLow = 0x1c;
inline constexpr std::uint32_t kParameters = 0x160;  ///< Where the kernel's parameters begin.
/// The maximum size of a kernel's parameters, as in PTX.
inline constexpr std::uint32_t kMaxParameterBytes = 32764;

}  // namespace heddle::code::launch_constants
