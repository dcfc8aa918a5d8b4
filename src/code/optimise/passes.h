#pragma once

// What makes a function shorter before its registers are allocated. Every pass keeps the function's
// results to the bit, but for products and sums that PTX lets fuse, and changes nothing else.

#include <vector>

#include "code/function.h"
#include "code/program.h"

namespace heddle::code {

/// Drops blocks that nothing reaches, joins those that always follow one another, drops branches
/// to where control goes anyway and turns branches to a kernel's end into guarded exits.
void simplify_control_flow(Function& function);

/// Gives every register a name of its own for each of its independent uses (webs), and renumbers
/// registers and predicates without gaps.
void split_webs(Function& function);

/// Replaces what is known: copies and constants by their origin, repeated computations by their
/// first, operations on constants by their results.
bool propagate_values(Function& function);

/// Makes one instruction of two: a product and a sum, two sums, an extension and a shift.
bool combine_operations(Function& function);

/// Moves what addresses are displaced by into the instructions that read them.
bool displace_addresses(Function& function);

/// Puts the places of shared variables, which the program's layout has fixed, for their names.
void place_shared_variables(Function& function, const std::vector<Variable>& variables);

/// Turns short sides of branches into guarded instructions, so that blocks grow.
bool convert_branches(Function& function);

/// Lets counting loops of one block go round four times between tests.
void unroll_loops(Function& function);

/// Drops instructions whose results nothing reads.
bool remove_dead_code(Function& function);

/// Leaves each instruction at most one source outside registers, as the encodings of real machines
/// do: one immediate, or one launch constant. The others come from moves.
void limit_operand_forms(Function& function);

/// Puts each block's instructions in an order that starts long operations early, as far as
/// `register_budget` registers carry.
void schedule_blocks(Function& function, unsigned register_budget);

/// All of them, in the order that serves.
struct OptimiseOptions {
  bool predication = true;  ///< Whether branches are converted.
};
void optimise(Function& function, const OptimiseOptions& options = {});

}  // namespace heddle::code
