#pragma once

#include <cstdint>

namespace heddle::exec {

/// Where the windows of the generic address space lie. Addresses near zero belong to none, so that
/// a null pointer, with any sensible index added, is caught.
inline constexpr std::uint64_t kSharedWindow = 0x0001'0000'0000;
inline constexpr std::uint64_t kLocalWindow = 0x0002'0000'0000;
inline constexpr std::uint64_t kParameterWindow = 0x0004'0000'0000;
inline constexpr std::uint64_t kFunctionWindow = 0x0005'0000'0000;
inline constexpr std::uint64_t kWindowBytes = 0x0001'0000'0000;
/// Device memory: global and constant variables, and what the host allocates.
inline constexpr std::uint64_t kGlobalBase = 0x0010'0000'0000;

constexpr bool in_window(std::uint64_t address, std::uint64_t window) {
  return address - window < kWindowBytes;
}

constexpr std::uint64_t offset_in_window(std::uint64_t address) { return address % kWindowBytes; }

/// A function's address as a program sees it, and back.
constexpr std::uint64_t function_address(std::uint32_t function) {
  return kFunctionWindow + std::uint64_t{function + 1} * 16;
}

}  // namespace heddle::exec
