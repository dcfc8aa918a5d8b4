#pragma once

#include <cstdint>

#include "code/instruction.h"

namespace heddle::sm {

/// How many words, of 32 bits, an integer of 64 bits counts as. Programs have 64-bit addresses, so
/// most of their 64-bit integers are addresses. Older GPUs had addresses of one word.
enum class WideIntegers : std::uint8_t {
  two_words,
  /// One register and the hardware instructions of a 32-bit integer. The upper word is computed,
  /// but takes nothing.
  one_word,
};

/// The number of registers that a source (or destination, if not `is_source`) of the instruction
/// counts as.
std::uint32_t counted_words(const code::Instruction& instruction, const code::Operand& operand,
                            bool is_source, WideIntegers wide_integers);

}  // namespace heddle::sm
