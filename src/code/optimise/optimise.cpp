#include "code/optimise/passes.h"

namespace heddle::code {

namespace {

void improve(Function& function, MultiplyAdd multiply_add) {
  constexpr int kMaxRounds = 4;
  for (int round = 0; round < kMaxRounds; ++round) {
    bool changed = propagate_values(function);
    changed = remove_dead_code(function) || changed;
    changed = displace_addresses(function) || changed;
    changed = combine_operations(function, multiply_add) || changed;
    changed = remove_dead_code(function) || changed;
    if (!changed) break;
  }
}

}  // namespace

void optimise(Function& function, const OptimiseOptions& options) {
  if (function.blocks.empty()) return;
  simplify_control_flow(function);
  split_webs(function);
  improve(function, options.multiply_add);
  // Each round converts the innermost branches of a nest.
  constexpr int kMaxNestDepth = 3;
  for (int round = 0; options.predication && round < kMaxNestDepth; ++round) {
    if (!convert_branches(function)) break;
    simplify_control_flow(function);
  }
  unroll_loops(function);
  simplify_control_flow(function);
  split_webs(function);
  improve(function, options.multiply_add);
  simplify_control_flow(function);
  split_webs(function);
}

}  // namespace heddle::code
