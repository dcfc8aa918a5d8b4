#pragma once

#include <cstdint>

namespace heddle::code {

/// Whether a product and the sum that reads it may become one instruction.
enum class MultiplyAdd : std::uint8_t { fused, separate };

}  // namespace heddle::code
