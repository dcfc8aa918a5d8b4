#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::sm {

/// The unit that executes an instruction.
enum class UnitKind : std::uint8_t { integer, fp32, fp64, special, memory, texture, control };

}  // namespace heddle::sm
