#pragma once

// Optimisation passes that run before register allocation. Every pass keeps the function's results
// bit for bit, except where PTX allows a product and a sum to be fused.

#include <vector>

#include "code/function.h"
#include "code/program.h"

namespace heddle::code {

/// Drops unreachable blocks, merges blocks that always follow one another, drops branches to the
/// next block and turns branches to a kernel's end into guarded exits.
void simplify_control_flow(Function& function);

/// Gives each web (definitions that reach a common use) a register of its own, and renumbers
/// registers and predicates without gaps.
void split_webs(Function& function);

/// Replaces copies by their sources, repeated computations by the first one, and operations on
/// constants by their results.
bool propagate_values(Function& function);

/// Combines two instructions into one: a product and a sum, two sums, or an extension to 64 bits
/// and a shift.
bool combine_operations(Function& function);

/// Moves constant displacements of addresses into the offsets of the memory instructions.
bool displace_addresses(Function& function);

/// Replaces shared variables by their addresses, which the program's layout has fixed.
void place_shared_variables(Function& function, const std::vector<Variable>& variables);

/// If-conversion: turns short paths of branches into guarded instructions, so that blocks grow.
bool convert_branches(Function& function);

/// Unrolls single-block loops that count their iterations and wait for memory: four iterations
/// become one.
void unroll_loops(Function& function);

/// Drops instructions whose results nothing reads.
bool remove_dead_code(Function& function);

/// Leaves each instruction at most one source that is an immediate or a launch constant, as the
/// encodings of real machines do. Further such sources are moved to registers first.
void limit_operand_forms(Function& function);

/// Reorders each block's instructions so that long-latency operations start early, as far as
/// `register_budget` registers allow.
void schedule_blocks(Function& function, unsigned register_budget);

struct OptimiseOptions {
  bool predication = true;  ///< Whether convert_branches() is run.
};
/// Runs the machine-independent passes, some of them repeatedly: all above except the placement of
/// shared variables, operand forms and scheduling.
void optimise(Function& function, const OptimiseOptions& options = {});

}  // namespace heddle::code
