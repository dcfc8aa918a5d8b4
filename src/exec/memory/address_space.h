#pragma once

#include <cstdint>

namespace heddle::exec {

/// The start addresses of the windows for shared memory, local memory, kernel parameters and
/// functions in the generic address space. Each window has kWindowBytes bytes. No window contains
/// addresses near zero. An access through a null pointer is therefore detected, even with an index.
inline constexpr std::uint64_t kSharedWindow = 0x0001'0000'0000;
inline constexpr std::uint64_t kLocalWindow = 0x0002'0000'0000;
inline constexpr std::uint64_t kParameterWindow = 0x0004'0000'0000;
inline constexpr std::uint64_t kFunctionWindow = 0x0005'0000'0000;
inline constexpr std::uint64_t kWindowBytes = 0x0001'0000'0000;
/// The start address of device memory, which contains global and constant variables and the host's
/// allocations.
inline constexpr std::uint64_t kGlobalBase = 0x0010'0000'0000;

/// Whether the address is in the window that starts at `window`.
constexpr bool in_window(std::uint64_t address, std::uint64_t window) {
  return address - window < kWindowBytes;
}

constexpr std::uint64_t offset_in_window(std::uint64_t address) { return address % kWindowBytes; }

/// The address of a function, as a program sees it. `function` is an index into Program::functions.
constexpr std::uint64_t function_address(std::uint32_t function) {
  return kFunctionWindow + std::uint64_t{function + 1} * 16;
}

}  // namespace heddle::exec
