// The table of translation functions, by PTX opcode.

#include <array>

#include "code/lowering/families.h"

namespace heddle::code::lowering {
namespace {

constexpr std::array<Translation, ptx::kOpcodeCount> kTranslations = {
    nullptr,  // Opcode::unknown
#define HEDDLE_PTX_OPCODE(name, spelling, lowering) lowering,
#define HEDDLE_PTX_NOT_EXECUTED(name, spelling) nullptr,
#include "ptx/opcode.def"
};

}  // namespace

Translation translation_of(ptx::Opcode opcode) {
  return kTranslations[static_cast<std::size_t>(opcode)];
}

}  // namespace heddle::code::lowering
