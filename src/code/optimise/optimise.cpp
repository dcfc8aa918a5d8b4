#include "code/optimise/passes.h"

namespace heddle::code {

void optimise(Function& function) {
  if (function.blocks.empty()) return;
  simplify_control_flow(function);
  split_webs(function);
  constexpr int kMostRounds = 4;
  for (int round = 0; round < kMostRounds; ++round) {
    bool changed = propagate_values(function);
    changed = remove_dead_code(function) || changed;
    changed = combine_operations(function) || changed;
    changed = remove_dead_code(function) || changed;
    if (!changed) break;
  }
  simplify_control_flow(function);
  limit_operand_forms(function);
  split_webs(function);
}

}  // namespace heddle::code
