#pragma once

#include <cstdint>

namespace heddle::locality {

/// The size of the lines for reuse distances and footprints, in bytes.
inline constexpr std::uint64_t kLineBytes = 128;

/// The number of the line that contains an address.
constexpr std::uint64_t line_of(std::uint64_t address) { return address / kLineBytes; }

}  // namespace heddle::locality
