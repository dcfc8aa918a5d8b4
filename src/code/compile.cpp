#include "code/compile.h"

#include <algorithm>
#include <utility>

#include "code/allocate/allocate.h"
#include "code/assemble.h"
#include "code/call_graph.h"
#include "code/compilation_unit.h"
#include "code/optimise/passes.h"
#include "code/placement/for_hardware.h"
#include "code/placement/long_waits.h"
#include "code/placement/place_values.h"
#include "code/placement/plain_placement.h"
#include "code/register_limits.h"

namespace heddle::code {
namespace {

constexpr std::uint32_t kMaxPredicates = 7;
/// As in the hardware's convention, register 1 holds the stack pointer in every function.
constexpr std::uint32_t kStackPointer = 1;
/// As in hardware, two registers of each thread hold its program counter; code does not name them.
constexpr std::uint32_t kHiddenRegisters = 2;
/// The hardware's calling convention reserves this many registers if a function calls anything,
/// printf included.
constexpr std::uint32_t kCallingRegisters = 24;
/// With this many registers per thread, a multiprocessor can still hold its maximum number of
/// threads. So using them does not reduce occupancy.
constexpr std::uint32_t kFreeRegisters = 64;

/// The lower of two limits; `other` is no limit if it is 0.
std::uint32_t lower_limit(std::uint32_t limit, std::uint32_t other) {
  return other == 0 ? limit : std::min(limit, other);
}

/// The limit on a function's registers; `requested` comes from the options.
std::uint32_t limit_of(const Function& function, std::uint32_t requested) {
  const std::uint32_t limit =
      lower_limit(lower_limit(kMaxRegisters, function.max_registers), requested);
  return std::max(limit, kMinRegisters);
}

/// The requested register limit of each function; 0 means none.
std::vector<std::uint32_t> requested_limits(const Program& program, const CompileOptions& options) {
  std::vector<std::uint32_t> limits(program.functions.size(), options.max_registers);
  if (!options.register_limit_of_kernel) return limits;
  std::uint32_t lowest = lower_limit(kMaxRegisters, options.max_registers);
  for (std::size_t i = 0; i < limits.size(); ++i) {
    if (!program.functions[i].is_kernel) continue;
    limits[i] = lower_limit(lower_limit(kMaxRegisters, limits[i]),
                            options.register_limit_of_kernel(program.functions[i].name));
    lowest = std::min(lowest, limits[i]);
  }
  for (std::size_t i = 0; i < limits.size(); ++i) {
    if (!program.functions[i].is_kernel) limits[i] = lowest;
  }
  return limits;
}

bool calls_anything(const Function& function) {
  for (const BasicBlock& block : function.blocks) {
    for (const Instruction& instruction : block.instructions) {
      if (instruction.operation == Operation::call ||
          instruction.operation == Operation::call_indirect ||
          instruction.operation == Operation::system_call) {
        return true;
      }
    }
  }
  return false;
}

std::vector<InstructionPlacement> placement_of(const Function& function,
                                               const CompileOptions& options) {
  const std::optional<Hierarchy>& hierarchy = options.hierarchy;
  if (hierarchy && hierarchy->managed) return place_values(function, *hierarchy);
  const CodeOrder code(function);
  std::vector<InstructionPlacement> placement =
      hierarchy ? place_for_hardware(function, *hierarchy) : plain_placement(code);
  if (options.suspends_on != nullptr) {
    mark_long_waits(code, options.suspends_on, placement);
  }
  return placement;
}

/// Appends a function's placements to Program::pooled: one for each number of entries of the
/// operand register file that a warp may have.
void append_pooled(const Function& function, const Hierarchy& hierarchy, Program& program) {
  const PooledPlacement placed = place_pooled(function, hierarchy);
  PooledPlacement& all = program.pooled;
  all.by_entry_count.resize(placed.by_entry_count.size());
  for (std::size_t count = 0; count < all.by_entry_count.size(); ++count) {
    const std::vector<InstructionPlacement>& added = placed.by_entry_count[count];
    std::vector<InstructionPlacement>& placements = all.by_entry_count[count];
    placements.insert(placements.end(), added.begin(), added.end());
    placements.resize(program.instructions.size());
  }
  all.strand_savings.insert(all.strand_savings.end(), placed.strand_savings.begin(),
                            placed.strand_savings.end());
  all.strand_savings.resize(program.instructions.size());
}

/// Appends the placement of the function that was assembled last.
void append_placement(const Function& function, const CompileOptions& options, Program& program) {
  if (!options.hierarchy && options.suspends_on == nullptr) return;
  const std::vector<InstructionPlacement> placement = placement_of(function, options);
  program.placement.insert(program.placement.end(), placement.begin(), placement.end());
  // Assembly may have added an exit or ret, which reads and writes nothing.
  program.placement.resize(program.instructions.size());
  if (options.hierarchy && options.hierarchy->variable_entries) {
    append_pooled(function, *options.hierarchy, program);
  }
}

}  // namespace

Program compile(const std::vector<ptx::Module>& modules, const CompileOptions& options) {
  CompilationUnit unit = lower(modules);
  Program program = std::move(unit.program);
  const std::vector<std::uint32_t> limits = requested_limits(program, options);
  for (std::uint32_t index = 0; index < unit.bodies.size(); ++index) {
    Function& function = unit.bodies[index];
    const std::uint32_t limit = limit_of(function, limits[index]);
    place_shared_variables(function, program.variables);
    if (options.optimisation) {
      optimise(function,
               {.predication = options.predication, .multiply_add = options.multiply_add});
    } else if (options.parameter_operands) {
      read_parameters_as_operands(function);
    }
    if (options.scheduling) {
      schedule_blocks(function, std::min(limit, kFreeRegisters) - kHiddenRegisters);
    }
    limit_operand_forms(function);
    const Allocation allocation = allocate(
        function, {.registers = limit - kHiddenRegisters,
                   .predicates = kMaxPredicates,
                   .rematerialise_above = std::min(limit, kFreeRegisters) - kHiddenRegisters,
                   .hidden_registers = kHiddenRegisters,
                   .reuse_distance = options.register_reuse_distance,
                   .reserved = {kStackPointer}});
    FunctionInfo& info = program.functions[index];
    info.registers = std::max(allocation.registers, kStackPointer + 1) + kHiddenRegisters;
    if (calls_anything(function)) {
      info.registers = std::max(info.registers, std::min(limit, kCallingRegisters));
    }
    info.predicates = allocation.predicates;
    info.spill_loads = allocation.spill_loads;
    info.spill_stores = allocation.spill_stores;
    assemble(function, index, program);
    append_placement(function, options, program);
    function = {};
  }
  summarise(program);
  return program;
}

}  // namespace heddle::code
