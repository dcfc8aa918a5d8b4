#pragma once

#include <cstdint>
#include <optional>

#include "code/instruction.h"

namespace heddle::code {

/// `bits` truncated to the width of `type`.
std::uint64_t truncated_to(ValueType type, std::uint64_t bits);

/// The result of an integer operation whose sources are all immediates; std::nullopt if the
/// operation cannot be folded.
std::optional<std::uint64_t> folded(const Instruction& instruction);

/// The source that equals the operation's result (x in x + 0 or x * 1); std::nullopt if there is
/// none.
std::optional<Operand> forwarded_source(const Instruction& instruction);

}  // namespace heddle::code
