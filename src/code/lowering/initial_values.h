#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "code/program.h"
#include "ptx/module.h"

namespace heddle::code::lowering {

/// By symbol of one module: the index of its function or variable in the program.
struct ModuleSymbols {
  const std::vector<std::uint32_t>& functions;
  const std::vector<std::uint32_t>& variables;
};

/// Fills `out.bytes` and `out.addresses` from the initialiser of `variable`. Throws InputError if
/// it is longer than the variable, or names a symbol that has no address when the program is
/// loaded.
void set_initial_values(const ptx::Variable& variable, const ModuleSymbols& symbols,
                        const std::string& file, Variable& out);

}  // namespace heddle::code::lowering
