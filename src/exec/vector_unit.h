#pragma once

// Chooses one of the compiled versions of exec/lanes, according to the vector unit of the host's
// processor.

#include <string_view>
#include <vector>

#include "code/instruction.h"
#include "exec/decoded.h"

namespace heddle::exec {

struct VectorUnit {
  std::string_view name;
  /// The handler of an instruction; null for a form that Heddle does not execute.
  Handler (*select_handler)(const code::Instruction&);
};

/// All versions that the host's processor can run, the widest first.
const std::vector<VectorUnit>& vector_units();
/// The widest version, or the one that the environment variable HEDDLE_VECTOR_UNIT names. Throws
/// InputError for an unknown name.
const VectorUnit& best_vector_unit();

}  // namespace heddle::exec
