#pragma once

#include <cstdint>
#include <optional>

#include "code/instruction.h"

namespace heddle::code {

/// `bits` truncated to the width of `type`.
std::uint64_t truncated_to(ValueType type, std::uint64_t bits);

/// The result of an integer operation whose sources are all immediates; std::nullopt for any other
/// instruction.
std::optional<std::uint64_t> constant_result(const Instruction& instruction);

/// The source that the operation's result equals (x in x + 0 or x * 1); std::nullopt if there is
/// none.
std::optional<Operand> forwarded_source(const Instruction& instruction);

}  // namespace heddle::code
