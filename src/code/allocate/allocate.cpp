#include "code/allocate/allocate.h"

#include <algorithm>
#include <optional>

#include "code/allocate/assign_registers.h"
#include "code/allocate/bundles.h"
#include "code/allocate/calls.h"
#include "code/allocate/scratch.h"
#include "code/allocate/spill.h"
#include "code/effects.h"
#include "code/physical_liveness.h"

namespace heddle::code {
namespace {

/// The physical registers that are assigned to a class of virtual registers.
struct Places {
  std::vector<std::uint32_t> physical;  ///< By virtual register: its first physical register.
  std::uint32_t used = 0;               ///< One more than the highest physical register in use.
};

using PlacesByClass = EnumArray<RegisterClass, Places, kRegisterClasses>;

/// With a lower limit on registers, scratch registers are not counted, since they would cause
/// spilling.
constexpr std::uint32_t kEnoughForScratch = 32;

/// Bundles for the scratch registers of instructions (scratch.h), each live during one instruction.
std::vector<Bundle> scratch_bundles(const Function& function) {
  std::vector<Bundle> bundles;
  std::uint32_t position = 0;
  for (const BasicBlock& block : function.blocks) {
    for (const Instruction& instruction : block.instructions) {
      for (std::uint32_t i = scratch_registers(instruction); i > 0; --i) {
        Bundle bundle;
        bundle.words[0].push_back({position, position + 2});
        bundles.push_back(bundle);
      }
      position += 2;
    }
  }
  return bundles;
}

/// Assigns registers below `limit` to a class; std::nullopt if they do not suffice.
std::optional<Places> try_to_place(const Function& function, RegisterClass register_class,
                                   std::uint32_t limit, const Reserved& reserved,
                                   const ReuseOptions& reuse) {
  const ValueNumbering values(function);
  const LiveRanges ranges(function, values);
  Bundles bundles(function, register_class, values, ranges);
  coalesce(function, register_class, bundles);

  const std::uint32_t count = function.count_of(register_class);
  std::vector<const Bundle*> assignable;
  std::vector<std::uint32_t> index_of(count, kNone);  // By bundle: its index in `assignable`.
  for (std::uint32_t index = 0; index < count; ++index) {
    const std::uint32_t root = bundles.find(index).bundle;
    if (index_of[root] != kNone) continue;
    index_of[root] = static_cast<std::uint32_t>(assignable.size());
    assignable.push_back(&bundles[root]);
  }
  std::vector<Bundle> scratch;
  if (register_class == RegisterClass::general && limit >= kEnoughForScratch) {
    scratch = scratch_bundles(function);
  }
  for (const Bundle& bundle : scratch) assignable.push_back(&bundle);
  const auto assigned = assign_registers_tightly(assignable, ranges.end, limit, reserved, reuse);
  if (!assigned) return std::nullopt;
  Places places;
  places.physical.resize(count);
  for (std::uint32_t index = 0; index < count; ++index) {
    const Bundles::Position position = bundles.find(index);
    places.physical[index] = (*assigned)[index_of[position.bundle]] + position.offset;
    if (ranges.by_value[values.first_value_of(register_class) + index].empty()) continue;
    places.used =
        std::max(places.used, places.physical[index] + function.width_of(register_class, index));
  }
  for (std::size_t i = assignable.size() - scratch.size(); i < assignable.size(); ++i) {
    places.used = std::max(places.used, (*assigned)[i] + 1);
  }
  return places;
}

/// Spills until every virtual register of a class gets a physical one. Raises the limit if spilling
/// no longer helps.
Places place_all(Function& function, RegisterClass register_class, std::uint32_t limit,
                 const Reserved& reserved, const ReuseOptions& reuse, Spiller& spiller) {
  std::uint32_t target = limit;
  for (;;) {
    if (auto places = try_to_place(function, register_class, limit, reserved, reuse))
      return *places;
    // Aligned pairs may not fit although few enough registers are live. So lower the target.
    while (target > 0 && !spiller.reduce_pressure(register_class, target)) --target;
    if (target == 0) {
      ++limit;
      target = limit;
    }
  }
}

/// Replaces the virtual registers in the code by physical ones.
void rename(Function& function, const PlacesByClass& places) {
  for (BasicBlock& block : function.blocks) {
    for (Instruction& instruction : block.instructions) {
      const auto place = [&](Operand& operand) {
        operand.index = places[class_of(operand)].physical[operand.index];
      };
      for_each_read(instruction, place);
      for_each_written(instruction, place);
      if (instruction.guard.present()) {
        std::uint32_t& guard = instruction.guard.predicate;
        guard = places[RegisterClass::predicate].physical[guard];
      }
    }
  }
}

/// Whether an instruction is a move, pack or unpack whose sources are already in the destination
/// registers.
bool moves_nothing(const Instruction& instruction) {
  const auto same = [](const Operand& a, const Operand& b, std::uint32_t shift) {
    return a.kind == b.kind && a.index == b.index + shift && !a.negated && !b.negated;
  };
  switch (instruction.operation) {
    case Operation::move:
    case Operation::predicate_move: {
      const Operand& from = instruction.sources[0];
      const Operand& to = instruction.destinations[0];
      return (from.is_register() || from.is_predicate()) && same(from, to, 0) &&
             from.width == to.width;
    }
    case Operation::pack: {
      const Operand& whole = instruction.destinations[0];
      if (!whole.is_register() || instruction.sources.size() != whole.width) return false;
      for (std::uint32_t i = 0; i < whole.width; ++i) {
        if (!same(instruction.sources[i], whole, i)) return false;
      }
      return true;
    }
    case Operation::unpack: {
      const Operand& whole = instruction.sources[0];
      if (!whole.is_register() || instruction.destinations.size() != whole.width) return false;
      for (std::uint32_t i = 0; i < whole.width; ++i) {
        const Operand& part = instruction.destinations[i];
        if (part.present() && !same(part, whole, i)) return false;
      }
      return true;
    }
    default:
      return false;
  }
}

}  // namespace

Allocation allocate(Function& function, const RegisterLimits& limits) {
  if (function.blocks.empty()) return {};
  Spiller spiller(function);
  PlacesByClass places;
  places[RegisterClass::predicate] =
      place_all(function, RegisterClass::predicate, limits.predicates, {},
                {0, limits.reuse_distance}, spiller);
  if (limits.rematerialise_above != 0) spiller.rematerialise(limits.rematerialise_above);
  places[RegisterClass::general] =
      place_all(function, RegisterClass::general, limits.registers, limits.reserved,
                {limits.hidden_registers, limits.reuse_distance}, spiller);
  rename(function, places);
  for (BasicBlock& block : function.blocks) std::erase_if(block.instructions, moves_nothing);

  Allocation allocation;
  allocation.registers =
      save_across_calls(function, places[RegisterClass::general].used, limits.reserved);
  allocation.predicates = places[RegisterClass::predicate].used;
  allocation.spill_loads = spiller.counts().loads;
  allocation.spill_stores = spiller.counts().stores;
  // Each call needs at least space for its return address, so that endless recursion overflows the
  // stack.
  constexpr std::uint32_t kFrameAlignment = 16;
  if (!function.is_kernel) function.frame_bytes = std::max(function.frame_bytes, kFrameAlignment);
  function.frame_bytes =
      (function.frame_bytes + kFrameAlignment - 1) / kFrameAlignment * kFrameAlignment;
  mark_last_uses(function);
  return allocation;
}

}  // namespace heddle::code
