#include "sm/instructions/wide_integers.h"

#include "code/operation_properties.h"

namespace heddle::sm {
namespace {

using code::FunctionalClass;
using code::Instruction;
using code::Operand;

/// Which type the values of a source have.
enum class SourceType : std::uint8_t { type, source_type, address };

/// `is_first`: whether it is the first source, which is the address of an access to memory.
SourceType type_of_source(const Instruction& instruction, bool is_first) {
  switch (properties_of(instruction.operation).functional_class) {
    case FunctionalClass::comparison:
    case FunctionalClass::conversion:
      return SourceType::source_type;
    case FunctionalClass::load:
    case FunctionalClass::store:
    case FunctionalClass::atomic:
    case FunctionalClass::copy:
      return is_first ? SourceType::address : SourceType::type;
    case FunctionalClass::integer:
    case FunctionalClass::arithmetic:
    case FunctionalClass::function:
    case FunctionalClass::refined_function:
    case FunctionalClass::exchange:
    case FunctionalClass::texture:
    case FunctionalClass::texture_query:
    case FunctionalClass::surface:
    case FunctionalClass::hint:
    case FunctionalClass::branch:
    case FunctionalClass::system_call:
    case FunctionalClass::barrier:
    case FunctionalClass::fence:
    case FunctionalClass::wait:
      return SourceType::type;
  }
  return SourceType::type;
}

bool is_floating_source(const Instruction& instruction, const Operand& source) {
  switch (type_of_source(instruction, &source == instruction.sources.begin())) {
    case SourceType::type:
      return is_floating(instruction.type);
    case SourceType::source_type:
      return is_floating(instruction.source_type);
    case SourceType::address:
      return false;
  }
  return false;
}

}  // namespace

std::uint32_t counted_words(const Instruction& instruction, const Operand& operand, bool is_source,
                            WideIntegers wide_integers) {
  if (wide_integers == WideIntegers::two_words || operand.width != 2) return operand.width;
  const bool is_f64 =
      is_source ? is_floating_source(instruction, operand) : is_floating(instruction.type);
  return is_f64 ? 2 : 1;
}

}  // namespace heddle::sm
