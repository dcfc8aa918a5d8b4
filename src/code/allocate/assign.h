#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "code/allocate/bundles.h"

namespace heddle::code {

/// Registers that no bundle may have.
using Reserved = std::vector<std::uint32_t>;

/// The most words that live at once, at any place of the line.
std::uint32_t highest_pressure(const std::vector<const Bundle*>& bundles, std::uint32_t line_end);

/// The first register of each bundle, all within `limit` registers; nothing where this does not
/// come about.
std::optional<std::vector<std::uint32_t>> assign(const std::vector<const Bundle*>& bundles,
                                                 std::uint32_t limit, const Reserved& reserved);

struct Spare {
  std::uint32_t hidden = 0;  ///< Registers that a thread has besides.
  std::uint32_t rest = 0;    ///< Instructions that each rests before it is written again.
};

/// With as few registers as it finds, up to `limit`, or a few more where these let them rest.
std::optional<std::vector<std::uint32_t>> assign_tightly(const std::vector<const Bundle*>& bundles,
                                                         std::uint32_t line_end,
                                                         std::uint32_t limit,
                                                         const Reserved& reserved,
                                                         const Spare& spare);

}  // namespace heddle::code
