#pragma once

#include <cstdint>
#include <optional>

#include "code/instruction.h"

namespace heddle::code {

/// `bits` cut to what a value of `type` holds.
std::uint64_t truncated_to(ValueType type, std::uint64_t bits);

/// The result of an integer operation whose sources are all immediates; nothing where the operation
/// is not one of those that are worth knowing.
std::optional<std::uint64_t> folded(const Instruction& instruction);

/// The source that an operation only hands on (x + 0, x * 1), or nothing.
std::optional<Operand> handed_on(const Instruction& instruction);

}  // namespace heddle::code
