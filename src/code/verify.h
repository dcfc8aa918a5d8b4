#pragma once

// A consistency check of a function between compiler passes.

#include <cstdint>
#include <optional>
#include <string>

#include "code/function.h"

namespace heddle::code {

enum class CodeForm : std::uint8_t {
  virtual_registers,
  allocated,  ///< Physical registers: pairs are aligned, and all numbers are below VerifyLimits.
};

/// The numbers of physical registers and predicates; for allocated code only.
struct VerifyLimits {
  std::uint32_t registers = 255;
  std::uint32_t predicates = 7;
};

/// Describes the first defect of the function; empty if there is none. A defect is an operand that
/// does not exist or has the wrong kind, a branch that is not at its block's end, a branch target
/// that does not exist or, with virtual registers, a read that no write reaches.
std::optional<std::string> find_defect(const Function& function, CodeForm form,
                                       const VerifyLimits& limits = {});

}  // namespace heddle::code
