#pragma once

// The values of the forms' operands: for each type, the edge cases of arithmetic and random values.

#include <cstdint>
#include <string_view>
#include <vector>

namespace heddle::silicon {

/// The values of one operand for `count` threads, each in the low bits of 64. `position` is the
/// operand's position in the form (0 is %a), which has `operands` operands. The values are the same
/// on every host.
std::vector<std::uint64_t> operand_values(std::string_view type, std::size_t position,
                                          std::size_t operands, std::size_t count);

/// The width of a type in bits; 1 for a predicate.
unsigned width_of(std::string_view type);

}  // namespace heddle::silicon
