#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "code/allocate/bundles.h"

namespace heddle::code {

/// Registers that must not be assigned to any bundle.
using Reserved = std::vector<std::uint32_t>;

/// The maximum number of words that are live at the same position.
std::uint32_t highest_pressure(const std::vector<const Bundle*>& bundles, std::uint32_t line_end);

/// Assigns each bundle its first register, so that all bundles lie within `limit` registers.
/// Returns std::nullopt if that fails.
std::optional<std::vector<std::uint32_t>> assign_registers(
    const std::vector<const Bundle*>& bundles, std::uint32_t limit, const Reserved& reserved);

/// The distance to keep between the last read of a register and the next write to it.
struct ReuseOptions {
  std::uint32_t hidden = 0;    ///< The number of a thread's registers that its code does not name.
  std::uint32_t distance = 0;  ///< In instructions.
};

/// As assign_registers(), but uses as few registers as it can find. It uses a few more if they
/// allow the reuse distance, but at most `limit`.
std::optional<std::vector<std::uint32_t>> assign_registers_tightly(
    const std::vector<const Bundle*>& bundles, std::uint32_t line_end, std::uint32_t limit,
    const Reserved& reserved, const ReuseOptions& reuse);

}  // namespace heddle::code
