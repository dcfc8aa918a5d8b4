#include "sm/instructions/wide_integers.h"

#include "code/operation_properties.h"

namespace heddle::sm {
namespace {

using code::FunctionalClass;
using code::Instruction;
using code::Operand;

/// The type of a source that is not an address.
ValueType source_type_of(const Instruction& instruction) {
  switch (properties_of(instruction.operation).functional_class) {
    case FunctionalClass::comparison:
    case FunctionalClass::conversion:
      return instruction.source_type;
    default:
      return instruction.type;
  }
}

/// Whether the source is the address of a memory access. Addresses are the first sources.
bool is_address(const Instruction& instruction, const Operand& source) {
  switch (properties_of(instruction.operation).functional_class) {
    case FunctionalClass::load:
    case FunctionalClass::store:
    case FunctionalClass::atomic:
    case FunctionalClass::copy:
      return &source == instruction.sources.begin();
    default:
      return false;
  }
}

}  // namespace

std::uint32_t counted_words(const Instruction& instruction, const Operand& operand, bool is_source,
                            WideIntegers wide_integers) {
  if (wide_integers == WideIntegers::two_words || operand.width != 2) return operand.width;
  if (is_source && is_address(instruction, operand)) return 1;
  return is_floating(is_source ? source_type_of(instruction) : instruction.type) ? 2 : 1;
}

}  // namespace heddle::sm
