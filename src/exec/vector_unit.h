#pragma once

// Which of the compiled versions of exec/lanes this processor runs.

#include <string_view>
#include <vector>

#include "code/instruction.h"
#include "exec/decoded.h"

namespace heddle::exec {

struct VectorUnit {
  std::string_view name;
  /// The handler of an instruction, or null where there is none.
  Handler (*select_handler)(const code::Instruction&);
};

/// All that this processor can run, the widest first.
const std::vector<VectorUnit>& vector_units();
/// The widest, or the one that the environment's HEDDLE_VECTOR_UNIT names. Throws InputError where
/// that names none.
const VectorUnit& best_vector_unit();

}  // namespace heddle::exec
