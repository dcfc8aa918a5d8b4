#pragma once

// Optimisation passes that run before register allocation. A pass is one transformation of a
// function. It keeps the function's results bit for bit, except where PTX allows a product and a
// sum to be fused. Passes that return a bool return whether they changed the function.

#include <vector>

#include "code/function.h"
#include "code/multiply_add.h"
#include "code/program.h"

namespace heddle::code {

/// Drops unreachable blocks, merges blocks that always follow one another, drops branches to the
/// next block and turns branches to a kernel's end into guarded exits.
void simplify_control_flow(Function& function);

/// Gives each web a register of its own, and renumbers registers and predicates without gaps. A web
/// is a set of writes of one register that share readers.
void split_webs(Function& function);

/// Replaces copies by their sources, repeated computations by the first one, and operations on
/// constants by their results.
bool propagate_values(Function& function);

/// Combines two instructions into one: two sums, an extension to 64 bits and a shift or, unless
/// they must stay separate, a product and a sum.
bool combine_operations(Function& function, MultiplyAdd multiply_add = MultiplyAdd::fused);

/// Moves constants that are added to addresses into the offsets of the memory instructions.
bool displace_addresses(Function& function);

/// Replaces shared variables by their addresses in shared memory (Variable::shared_offset).
void place_shared_variables(Function& function, const std::vector<Variable>& variables);

/// If-conversion: turns short paths of forward branches into guarded instructions, so that blocks
/// grow.
bool convert_branches(Function& function);

/// Unrolls loops of one block that count their iterations and wait for memory. The body of the
/// unrolled loop has four iterations.
void unroll_loops(Function& function);

/// Drops instructions whose results nothing reads.
bool remove_dead_code(Function& function);

/// Reads kernel parameters as operands, not with instructions of their own, and drops conversions
/// of global addresses. Not needed with optimise(), which does the same.
void read_parameters_as_operands(Function& function);

/// Leaves each instruction at most one source outside of registers (an immediate, a launch constant
/// or an address), like the instruction encodings of real GPUs. Further ones are moved to registers
/// first.
void limit_operand_forms(Function& function);

/// Reorders each block's instructions so that long-latency operations start early, as far as
/// `register_budget` registers allow.
void schedule_blocks(Function& function, unsigned register_budget);

struct OptimiseOptions {
  bool predication = true;  ///< Whether convert_branches() is run.
  MultiplyAdd multiply_add = MultiplyAdd::fused;
};
/// Runs all passes above, some of them repeatedly, except place_shared_variables(),
/// read_parameters_as_operands(), limit_operand_forms() and schedule_blocks().
void optimise(Function& function, const OptimiseOptions& options = {});

}  // namespace heddle::code
