#pragma once

// A check of what the compiler makes of a function between its passes.

#include <cstdint>
#include <optional>
#include <string>

#include "code/function.h"

namespace heddle::code {

enum class CodeForm : std::uint8_t {
  virtual_registers,
  allocated,  ///< Physical registers: pairs aligned, all within the counts given.
};

struct VerifyLimits {
  std::uint32_t registers = 255;  ///< Of allocated code.
  std::uint32_t predicates = 7;
};

/// The first thing that is wrong with the function, or nothing: operands that do not exist or are
/// of the wrong kind, control that goes nowhere, reads that no write reaches.
std::optional<std::string> find_defect(const Function& function, CodeForm form,
                                       const VerifyLimits& limits = {});

}  // namespace heddle::code
