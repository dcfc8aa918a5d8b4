#include "code/lowering/initial_values.h"

#include <bit>

#include "base/error.h"
#include "code/link.h"

namespace heddle::code::lowering {
namespace {

[[noreturn]] void reject(const ptx::Variable& variable, const std::string& file,
                         const std::string& what) {
  throw InputError(file + ":" + std::to_string(variable.location.line) + ": the initialiser of '" +
                   variable.name + "' " + what);
}

}  // namespace

void set_initial_values(const ptx::Variable& variable, const ModuleSymbols& symbols,
                        const std::string& file, Variable& out) {
  if (variable.initialiser.empty()) return;
  const auto element_bytes = static_cast<std::uint64_t>(size_of(variable.type));
  if (element_bytes == 0 || variable.initialiser.size() > variable.size / element_bytes) {
    reject(variable, file, "has more elements than the variable");
  }
  out.bytes.assign(variable.initialiser.size() * element_bytes, 0);
  for (std::size_t i = 0; i < variable.initialiser.size(); ++i) {
    const ptx::Initialiser& element = variable.initialiser[i];
    const std::uint64_t offset = i * element_bytes;
    if (element.kind == ptx::Initialiser::Kind::bits) {
      for (std::uint64_t byte = 0; byte < element_bytes && byte < 8; ++byte) {
        out.bytes[offset + byte] = static_cast<std::uint8_t>(element.bits >> (8 * byte));
      }
      continue;
    }
    AddressInitialiser address;
    address.offset = offset;
    address.bytes = static_cast<std::uint8_t>(element_bytes);
    if (element.byte_mask != 0) {
      address.shift = static_cast<std::uint8_t>(std::countr_zero(element.byte_mask));
      address.bytes = 1;
    }
    address.is_function = element.kind == ptx::Initialiser::Kind::function_address;
    address.generic = element.generic;
    address.addend = element.addend;
    const auto& map = address.is_function ? symbols.functions : symbols.variables;
    address.symbol = map[element.symbol];
    if (address.symbol == kNotLinked || address.symbol == kDynamicShared) {
      reject(variable, file, "takes an address that is unknown when the program is loaded");
    }
    out.addresses.push_back(address);
  }
}

}  // namespace heddle::code::lowering
