#pragma once

// What the forms compute with: for each type the values where arithmetic has edges, and others.

#include <cstdint>
#include <string_view>
#include <vector>

namespace heddle::silicon {

/// One value for each of `count` threads, in the low bits of a word: those of the operand at
/// `position` (0 is %a) of a form with so many operands. The same on every host.
std::vector<std::uint64_t> operand_values(std::string_view type, std::size_t position,
                                          std::size_t operands, std::size_t count);

/// In bits; 1 for a predicate.
unsigned width_of(std::string_view type);

}  // namespace heddle::silicon
