#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "code/program.h"
#include "ptx/module.h"

namespace heddle::code::lowering {

/// By function and by variable of one module: its index in the program.
struct ModuleSymbols {
  const std::vector<std::uint32_t>& functions;
  const std::vector<std::uint32_t>& variables;
};

/// Sets `out.bytes` and `out.addresses` from the initialiser of `variable`. `file` is the module's
/// file, for messages. Throws InputError if the initialiser is longer than the variable, or names a
/// symbol that has no address when the program is loaded.
void set_initial_values(const ptx::Variable& variable, const ModuleSymbols& symbols,
                        const std::string& file, Variable& out);

}  // namespace heddle::code::lowering
