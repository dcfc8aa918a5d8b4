#include "sm/instructions/wide_integers.h"

#include "sm/instructions/unit_of.h"

namespace heddle::sm {
namespace {

using code::Instruction;
using code::Operand;

/// Whether the source is the address of an access to memory. Addresses are the first sources.
bool is_address(const Instruction& instruction, const Operand& source) {
  return unit_of(instruction) == UnitKind::memory && &source == instruction.sources.begin();
}

}  // namespace

std::uint32_t counted_words(const Instruction& instruction, const Operand& operand, bool is_source,
                            WideIntegers wide_integers) {
  if (wide_integers == WideIntegers::two_words || operand.width != 2) return operand.width;
  if (is_source && is_address(instruction, operand)) return 1;
  const bool is_f64 = is_floating(is_source ? source_type_of(instruction) : instruction.type);
  return is_f64 ? 2 : 1;
}

}  // namespace heddle::sm
