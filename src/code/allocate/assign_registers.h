#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "code/allocate/bundles.h"

namespace heddle::code {

/// Physical registers that must not be assigned to any bundle (bundles.h).
using Reserved = std::vector<std::uint32_t>;

/// The maximum number of words that are live at the same position. All positions are below
/// `end_position`.
std::uint32_t highest_pressure(const std::vector<const Bundle*>& bundles,
                               std::uint32_t end_position);

/// Returns the first register of each bundle. All registers have numbers below `limit`. Returns
/// std::nullopt if no such assignment is found.
std::optional<std::vector<std::uint32_t>> assign_registers(
    const std::vector<const Bundle*>& bundles, std::uint32_t limit, const Reserved& reserved);

/// The distance to keep between the last read of a register and the next write to it, if possible.
struct ReuseOptions {
  std::uint32_t hidden_registers = 0;  ///< A thread's registers that its code does not name.
  std::uint32_t distance = 0;          ///< In instructions.
};

/// Like assign_registers(), but looks for the lowest number of registers that suffices. It uses a
/// few more, up to `limit`, if that allows the reuse distance.
std::optional<std::vector<std::uint32_t>> assign_registers_tightly(
    const std::vector<const Bundle*>& bundles, std::uint32_t end_position, std::uint32_t limit,
    const Reserved& reserved, const ReuseOptions& reuse);

}  // namespace heddle::code
