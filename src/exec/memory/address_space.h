#pragma once

#include <cstdint>

namespace heddle::exec {

/// The beginnings of the windows in the generic address space, each of kWindowBytes bytes. No
/// window contains addresses near zero, so accesses through a null pointer are detected, even with
/// an index.
inline constexpr std::uint64_t kSharedWindow = 0x0001'0000'0000;
inline constexpr std::uint64_t kLocalWindow = 0x0002'0000'0000;
inline constexpr std::uint64_t kParameterWindow = 0x0004'0000'0000;
inline constexpr std::uint64_t kFunctionWindow = 0x0005'0000'0000;
inline constexpr std::uint64_t kWindowBytes = 0x0001'0000'0000;
/// The beginning of device memory: global and constant variables, and the host's allocations.
inline constexpr std::uint64_t kGlobalBase = 0x0010'0000'0000;

constexpr bool in_window(std::uint64_t address, std::uint64_t window) {
  return address - window < kWindowBytes;
}

constexpr std::uint64_t offset_in_window(std::uint64_t address) { return address % kWindowBytes; }

/// A function's address as a program sees it.
constexpr std::uint64_t function_address(std::uint32_t function) {
  return kFunctionWindow + std::uint64_t{function + 1} * 16;
}

}  // namespace heddle::exec
