#include "sm/instructions/issue_table.h"

#include <algorithm>
#include <cassert>

#include "base/inline_vector.h"
#include "code/effects.h"
#include "code/operation_properties.h"
#include "exec/system/chip_wide.h"
#include "exec/system/reads_time.h"
#include "sm/instructions/access_of.h"
#include "sm/instructions/unit_of.h"
#include "sm/instructions/warp_special.h"

namespace heddle::sm {
namespace {

using code::FunctionalClass;
using code::Instruction;
using code::Operand;
using code::Operation;

// Numbers of registers and predicates, without duplicates. The capacity suffices: an instruction
// has at most twelve sources of four registers each, and a guard.
using Entries = InlineVector<std::uint16_t, 64>;

InstructionKind kind_of(const Instruction& instruction) {
  if (exec::is_chip_wide(instruction)) return InstructionKind::chip_wide;
  switch (properties_of(instruction.operation).functional_class) {
    case FunctionalClass::integer:
    case FunctionalClass::arithmetic:
    case FunctionalClass::comparison:
    case FunctionalClass::conversion:
    case FunctionalClass::function:
    case FunctionalClass::refined_function:
    case FunctionalClass::exchange:
      return InstructionKind::arithmetic;
    case FunctionalClass::load:
      return InstructionKind::load;
    case FunctionalClass::store:
      return InstructionKind::store;
    case FunctionalClass::atomic:
      return InstructionKind::atomic;
    case FunctionalClass::copy:
    case FunctionalClass::system_call:
      return InstructionKind::chip_wide;
    case FunctionalClass::texture:
    case FunctionalClass::texture_query:
    case FunctionalClass::surface:
      return InstructionKind::texture;
    case FunctionalClass::branch:
      return InstructionKind::branch;
    case FunctionalClass::barrier:
      return InstructionKind::barrier;
    case FunctionalClass::fence:
      return InstructionKind::fence;
    case FunctionalClass::hint:
    // A wait for asynchronous copies finds nothing to wait for, because a copy is executed when it
    // issues. warp.sync may switch the warp to another side of a divergent branch, but no branch
    // has to be resolved.
    case FunctionalClass::wait:
      return InstructionKind::other;
  }
  return InstructionKind::other;
}

/// Whether the warp's atomics must have been performed before the instruction issues: after it,
/// other threads may rely on their effects.
bool waits_for_atomics(const Instruction& instruction) {
  using code::EffectsClass;
  switch (properties_of(instruction.operation).effects) {
    case EffectsClass::synchronises:
      return true;
    case EffectsClass::pure:
    case EffectsClass::special:
    case EffectsClass::load:
    case EffectsClass::reads:
    case EffectsClass::store:
    case EffectsClass::updates:
    case EffectsClass::hint:
    case EffectsClass::active_lanes:
    case EffectsClass::across_lanes:
    case EffectsClass::ordered:
      return instruction.order == code::MemoryOrder::release ||
             instruction.order == code::MemoryOrder::acquire_release;
  }
  return true;
}

bool waits_for_stores(const Instruction& instruction) {
  return instruction.operation == Operation::fence && instruction.scope != code::Scope::block;
}

/// Whether the instruction is an unguarded branch or call. A return is not one: its target is not
/// known at decode.
bool jumps_always(const Instruction& instruction) {
  return !instruction.guard.present() &&
         (instruction.operation == Operation::branch || instruction.operation == Operation::call);
}

/// Whether the instruction is a guarded branch, call or exit. A return is not one: its target is
/// not known at decode.
bool is_conditional(const Instruction& instruction) {
  return instruction.guard.present() &&
         (instruction.operation == Operation::branch || instruction.operation == Operation::call ||
          instruction.operation == Operation::exit);
}

/// Whether the instruction is a branch to itself or to an earlier instruction. Some targets of a
/// branch table may lie in the other direction.
bool jumps_back(const Instruction& instruction, std::uint32_t pc) {
  return instruction.operation == Operation::branch && instruction.target <= pc;
}

/// Whether equal source values always give equal results. A special register is not among the
/// sources, so reading one is not repeatable.
bool is_repeatable(const Instruction& instruction) {
  return code::effects_of(instruction).repeatable &&
         instruction.operation != Operation::read_special;
}

/// See IssueInfo::reads_guard_last.
bool reads_guard_last(const Instruction& instruction) {
  if (!instruction.guard.present()) return false;
  bool is_source = false;
  code::for_each_read(instruction, [&](const Operand& operand) {
    is_source =
        is_source || (operand.is_predicate() && operand.index == instruction.guard.predicate);
  });
  return !is_source;
}

Resource resource_of(UnitKind unit, MemoryRoute route, bool has_private_memory) {
  switch (unit) {
    case UnitKind::integer:
      return Resource::integer;
    case UnitKind::fp32:
      return Resource::fp32;
    case UnitKind::fp64:
      return Resource::fp64;
    case UnitKind::special:
      return Resource::special;
    case UnitKind::texture:
      return Resource::texture;
    case UnitKind::control:
      return Resource::none;
    case UnitKind::memory:
      break;
  }
  switch (route) {
    case MemoryRoute::shared:
      return Resource::shared;
    case MemoryRoute::constant:
      return Resource::constant;
    case MemoryRoute::none:
      return Resource::none;
    case MemoryRoute::local:
      return has_private_memory ? Resource::shared : Resource::global;
    case MemoryRoute::global:
    case MemoryRoute::generic:
      return Resource::global;
  }
  return Resource::none;
}

void add(Entries& entries, std::uint32_t entry) {
  assert(entry < kScoreboardEntries);
  const auto number = static_cast<std::uint16_t>(entry);
  if (std::find(entries.begin(), entries.end(), number) == entries.end()) {
    entries.push_back(number);
  }
}

void add(Entries& entries, const Operand& operand, std::uint32_t words) {
  if (operand.is_predicate()) return add(entries, kFirstPredicate + operand.index);
  assert(operand.index + operand.width <= kFirstPredicate);
  for (std::uint32_t i = 0; i < words; ++i) add(entries, operand.index + i);
}

Entries reads_of(const Instruction& instruction, WideIntegers wide_integers) {
  Entries entries;
  code::for_each_read(instruction, [&](const Operand& operand) {
    add(entries, operand, counted_words(instruction, operand, /*is_source=*/true, wide_integers));
  });
  if (instruction.guard.present()) add(entries, kFirstPredicate + instruction.guard.predicate);
  return entries;
}

Entries writes_of(const Instruction& instruction, WideIntegers wide_integers) {
  Entries entries;
  code::for_each_written(instruction, [&](const Operand& operand) {
    add(entries, operand, counted_words(instruction, operand, /*is_source=*/false, wide_integers));
  });
  return entries;
}

/// The hardware instructions that the instruction represents on a machine with these options.
std::uint8_t hardware_instructions(const Instruction& instruction,
                                   const IssueTableOptions& options) {
  const std::uint32_t once = expansion_of(instruction, options.wide_integers);
  return static_cast<std::uint8_t>(
      multiplies_integers(instruction) ? once * options.multiply_instructions : once);
}

/// Whether a source operand contains the register and is marked as its last use.
bool is_last_read(const Instruction& instruction, std::uint16_t number) {
  return std::any_of(instruction.sources.begin(), instruction.sources.end(),
                     [&](const Operand& source) {
                       return source.is_register() && source.last_use && source.index <= number &&
                              number < source.index + source.width;
                     });
}

/// The index of the first operand that contains the register.
template <class Operands>
std::uint8_t operand_of(const Operands& operands, std::uint16_t number) {
  const auto* at = std::find_if(operands.begin(), operands.end(), [&](const Operand& operand) {
    return operand.is_register() && operand.index <= number &&
           number < operand.index + operand.width;
  });
  return static_cast<std::uint8_t>(at - operands.begin());
}

/// The place of the register, from index `next` on, which becomes the index after it. Places
/// between are those of upper words that do not count.
template <class Places>
const auto& next_place(const Places& places, std::size_t& next, std::uint16_t number) {
  while (places[next].word != number) ++next;
  return places[next++];
}

/// Appends to `uses` one use for each element of `reads`, then one for each element of `writes`.
/// `placed` lists the same registers in the same order, without the predicates, and with words that
/// do not count (WideIntegers); it is null if the program has no placement.
void add_uses(const Instruction& instruction, std::span<const std::uint16_t> reads,
              std::span<const std::uint16_t> writes, const code::InstructionPlacement* placed,
              std::vector<RegisterUse>& uses) {
  std::size_t next = 0;
  for (const std::uint16_t number : reads) {
    RegisterUse& use = uses.emplace_back();
    if (number >= kFirstPredicate) continue;
    use.is_last_read = is_last_read(instruction, number);
    use.operand = operand_of(instruction.sources, number);
    if (placed == nullptr) continue;
    const code::ReadPlace& place = next_place(placed->reads, next, number);
    use.place = place.from;
    use.fill_place = place.fill_place;
  }
  next = 0;
  for (const std::uint16_t number : writes) {
    RegisterUse& use = uses.emplace_back();
    if (number >= kFirstPredicate) continue;
    use.operand = operand_of(instruction.destinations, number);
    if (placed == nullptr) continue;
    const code::WritePlace& place = next_place(placed->writes, next, number);
    use.writes_main = place.main;
    use.place = place.upper;
    use.is_live_out = place.live_out;
  }
}

bool is_long_latency(MemoryRoute route, InstructionKind kind) {
  switch (kind) {
    case InstructionKind::texture:
      return true;
    case InstructionKind::load:
    case InstructionKind::atomic:
      return may_be_global(route) || route == MemoryRoute::local;
    default:
      return false;
  }
}

}  // namespace

bool is_long_latency(const Instruction& instruction) {
  return is_long_latency(route_of(instruction), kind_of(instruction));
}

bool is_in_shared_unit(const Instruction& instruction) { return is_shared(unit_of(instruction)); }

IssueTable::IssueTable(const code::Program& program, const IssueTableOptions& options) {
  infos_.reserve(program.instructions.size());
  const bool is_placed = !program.placement.empty();
  for (std::uint32_t pc = 0; pc < program.instructions.size(); ++pc) {
    const Instruction& instruction = program.instructions[pc];
    const code::InstructionPlacement* placed = is_placed ? &program.placement[pc] : nullptr;
    const Entries reads = reads_of(instruction, options.wide_integers);
    const Entries writes = writes_of(instruction, options.wide_integers);
    const UnitKind unit = unit_of(instruction);
    const MemoryRoute route = route_of(instruction);
    const InstructionKind kind = kind_of(instruction);
    infos_.push_back({.first_register = static_cast<std::uint32_t>(registers_.size()),
                      .reads = static_cast<std::uint8_t>(reads.size()),
                      .writes = static_cast<std::uint8_t>(writes.size()),
                      .unit = unit,
                      .kind = kind,
                      .route = route,
                      .resource = resource_of(unit, route, options.has_private_memory),
                      .bytes_per_lane = bytes_per_lane_of(instruction),
                      .expansion = hardware_instructions(instruction, options),
                      .result_delay = static_cast<std::uint16_t>(
                          multiplies_integers(instruction) ? options.multiply_delay : 0),
                      .waits_for_atomics = waits_for_atomics(instruction),
                      .waits_for_stores = waits_for_stores(instruction),
                      .bypasses_l1 = bypasses_l1(instruction),
                      .sees_other_threads = kind == InstructionKind::load &&
                                            instruction.order != code::MemoryOrder::weak,
                      .reads_time = exec::reads_time(instruction),
                      .jumps_always = jumps_always(instruction),
                      .is_conditional = is_conditional(instruction),
                      .is_repeatable = is_repeatable(instruction),
                      .reads_warp_special = reads_warp_special(instruction),
                      .reads_guard_last = reads_guard_last(instruction),
                      .is_long_latency = is_long_latency(route, kind),
                      .jumps_back = jumps_back(instruction, pc),
                      .leaves_undefined = instruction.guard.present() && instruction.writes_whole,
                      .begins_strand = is_placed && placed->begins_strand,
                      .suspends = is_placed && placed->suspends});
    registers_.insert(registers_.end(), reads.begin(), reads.end());
    registers_.insert(registers_.end(), writes.begin(), writes.end());
  }
  add_all_uses(program);
  for (const std::size_t entry : registers_) {
    if (entry < kFirstPredicate) {
      register_count_ = std::max(register_count_, entry + 1);
    } else {
      predicate_count_ = std::max(predicate_count_, entry + 1 - kFirstPredicate);
    }
  }
  for (const Instruction& instruction : program.instructions) {
    if (instruction.reconvergence < infos_.size()) {
      infos_[instruction.reconvergence].post_dominates = true;
    }
  }
}

void IssueTable::add_all_uses(const code::Program& program) {
  strand_savings_ = program.pooled.strand_savings;
  const auto add_placed = [&](const std::vector<code::InstructionPlacement>& placement) {
    for (std::uint32_t pc = 0; pc < infos_.size(); ++pc) {
      add_uses(program.instructions[pc], reads(infos_[pc]), writes(infos_[pc]),
               placement.empty() ? nullptr : &placement[pc], uses_);
    }
  };
  if (strand_savings_.empty()) return add_placed(program.placement);
  for (const auto& placement : program.pooled.by_entry_count) add_placed(placement);
}

}  // namespace heddle::sm
