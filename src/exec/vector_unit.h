#pragma once

// The handlers of exec/lanes are compiled several times, for different vector units (such as AVX2).
// These functions find the versions that the host's processor can run.

#include <string_view>
#include <vector>

#include "code/instruction.h"
#include "exec/decoded.h"

namespace heddle::exec {

/// One compiled version of the handlers.
struct VectorUnit {
  std::string_view name;  ///< "avx512", "avx2" or "baseline".
  /// Returns the handler of an instruction; null for a form that Heddle does not execute.
  Handler (*select_handler)(const code::Instruction&);
};

/// All versions that the host's processor can run, the widest first.
const std::vector<VectorUnit>& vector_units();
/// The version that the environment variable HEDDLE_VECTOR_UNIT names; the widest if it is unset or
/// empty. Throws InputError if the processor cannot run that version or the name is unknown.
const VectorUnit& best_vector_unit();

}  // namespace heddle::exec
