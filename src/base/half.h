#pragma once

#include <cstdint>

namespace heddle {

/// The nearest IEEE binary16 to a number, ties to even; too large ones are infinite.
std::uint16_t half_from(double value);
double half_value(std::uint16_t bits);

}  // namespace heddle
