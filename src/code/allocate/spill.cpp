#include "code/allocate/spill.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "code/effects.h"

namespace heddle::code {
namespace {

/// What a value costs to keep on the stack: its reads and writes, by how often they run.
struct Candidate {
  double weight = 0;
  std::vector<std::uint32_t> touches;  ///< Numbers of the instructions that name it.
  const Instruction* maker = nullptr;  ///< Where it is written once.
  std::uint32_t writes = 0;
};

bool can_be_made_anew(const Candidate& candidate) {
  if (candidate.writes != 1 || candidate.maker->guard.present() ||
      candidate.maker->destinations.size() != 1) {
    return false;
  }
  if (candidate.maker->operation == Operation::read_special) {
    return effects_of(*candidate.maker).repeatable;
  }
  if (candidate.maker->operation == Operation::load) {
    const bool at_known_address =
        candidate.maker->sources.empty() || !candidate.maker->sources[0].is_register();
    return candidate.maker->space == Space::constant && at_known_address &&
           effects_of(*candidate.maker).repeatable;
  }
  if (candidate.maker->operation != Operation::move) return false;
  const Operand& source = candidate.maker->sources[0];
  return !source.is_register() && !source.is_predicate();
}

std::vector<Candidate> candidates_of(const Function& function, const ValueNumbering& values) {
  const std::vector<std::uint32_t> depths = loop_depths(control_flow_of(function));
  std::vector<Candidate> candidates(values.count());
  std::uint32_t number = 0;
  for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
    constexpr std::uint32_t kDeepest = 6;
    double often = 1;
    for (std::uint32_t i = 0; i < std::min(depths[block], kDeepest); ++i) often *= 8;
    for (const Instruction& instruction : function.blocks[block].instructions) {
      const auto touch = [&](std::uint32_t value) {
        Candidate& candidate = candidates[value];
        if (candidate.touches.empty() || candidate.touches.back() != number) {
          candidate.touches.push_back(number);
          candidate.weight += often;
        }
      };
      for_each_read(instruction, [&](const Operand& operand) { touch(values.of(operand)); });
      if (instruction.guard.present()) touch(values.of(instruction.guard));
      for_each_written(instruction, [&](const Operand& operand) {
        const std::uint32_t value = values.of(operand);
        touch(value);
        ++candidates[value].writes;
        candidates[value].maker = &instruction;
      });
      ++number;
    }
  }
  return candidates;
}

Instruction slot_access(Operation operation, std::uint32_t width, std::uint32_t offset,
                        const Instruction& for_whom) {
  Instruction instruction;
  instruction.operation = operation;
  instruction.type = width == 1 ? ValueType::b32 : width == 2 ? ValueType::b64 : ValueType::b128;
  instruction.space = Space::local;
  instruction.offset = offset;
  instruction.ptx_line = for_whom.ptx_line;
  instruction.source = for_whom.source;
  return instruction;
}

}  // namespace

std::uint32_t Spiller::new_slot(std::uint32_t width) {
  const std::uint32_t bytes = width * 4;
  const std::uint32_t offset = (function_.frame_bytes + bytes - 1) / bytes * bytes;
  function_.frame_bytes = offset + bytes;
  return offset;
}

std::uint32_t Spiller::new_register(std::uint32_t width) {
  const std::uint32_t made = function_.new_register(static_cast<int>(width));
  short_lived_registers_.resize(function_.registers.size());
  short_lived_registers_[made] = true;
  return made;
}

bool Spiller::reduce_pressure(bool predicates, std::uint32_t target) {
  const std::vector<std::uint32_t> spilled = choose(predicates, target, false);
  if (spilled.empty()) return false;
  if (predicates) {
    rewrite_predicates(spilled);
  } else {
    rewrite_registers(spilled);
  }
  return true;
}

void Spiller::make_anew(std::uint32_t target) {
  const std::vector<std::uint32_t> remade = choose(false, target, true);
  if (!remade.empty()) rewrite_registers(remade);
}

std::vector<std::uint32_t> Spiller::choose(bool predicates, std::uint32_t target,
                                           bool only_made_anew) const {
  const ValueNumbering values(function_);
  const LiveRanges ranges(function_, values);
  std::vector<Candidate> candidates = candidates_of(function_, values);
  const auto width_of = [&](std::uint32_t value) -> std::int32_t {
    return predicates ? 1 : function_.registers[value].width;
  };
  const auto is_short_lived = [&](std::uint32_t value) {
    const auto& marks = predicates ? short_lived_predicates_ : short_lived_registers_;
    const std::uint32_t index = predicates ? value - values.registers() : value;
    return index < marks.size() && marks[index];
  };

  std::vector<std::int32_t> pressure(ranges.end + 1);
  struct Start {
    std::uint32_t position;
    std::uint32_t value;
    std::uint32_t end;
  };
  std::vector<Start> starts;
  for (std::uint32_t value = 0; value < values.count(); ++value) {
    if (values.is_predicate(value) != predicates) continue;
    for (const Segment& segment : ranges.of[value]) {
      starts.push_back({segment.start, value, segment.end});
      for (std::uint32_t at = segment.start; at < segment.end; ++at)
        pressure[at] += width_of(value);
    }
  }
  std::sort(starts.begin(), starts.end(),
            [](const Start& a, const Start& b) { return a.position < b.position; });

  std::vector<double> cost(values.count());
  for (std::uint32_t value = 0; value < values.count(); ++value) {
    double length = 1;
    for (const Segment& segment : ranges.of[value]) length += segment.end - segment.start;
    cost[value] = candidates[value].weight / length;
    constexpr double kMadeAnew = 0.5;  // one instruction in place of a store and loads
    if (!predicates && can_be_made_anew(candidates[value])) cost[value] *= kMadeAnew;
  }

  std::vector<bool> gone(values.count());
  std::vector<std::uint32_t> spilled;
  std::vector<Start> active;
  std::size_t next = 0;
  for (std::uint32_t at = 0; at < ranges.end; ++at) {
    while (next < starts.size() && starts[next].position <= at) active.push_back(starts[next++]);
    if (pressure[at] <= static_cast<std::int32_t>(target)) continue;
    std::erase_if(active, [&](const Start& start) { return start.end <= at || gone[start.value]; });
    while (pressure[at] > static_cast<std::int32_t>(target)) {
      // Spilling what this very instruction names would gain nothing here.
      std::uint32_t best = kNone;
      for (const Start& start : active) {
        const auto& touches = candidates[start.value].touches;
        if (gone[start.value] || is_short_lived(start.value) ||
            (only_made_anew && !can_be_made_anew(candidates[start.value])) ||
            std::binary_search(touches.begin(), touches.end(), at / 2)) {
          continue;
        }
        if (best == kNone || cost[start.value] < cost[best]) best = start.value;
      }
      if (best == kNone) break;
      gone[best] = true;
      spilled.push_back(best);
      for (const Segment& segment : ranges.of[best]) {
        for (std::uint32_t i = segment.start; i < segment.end; ++i) pressure[i] -= width_of(best);
      }
      for (const std::uint32_t touch : candidates[best].touches) {
        pressure[std::size_t{2} * touch] += width_of(best);
        pressure[std::size_t{2} * touch + 1] += width_of(best);
      }
    }
  }
  return spilled;
}

void Spiller::rewrite_registers(const std::vector<std::uint32_t>& spilled) {
  struct Home {
    std::uint32_t slot = 0;
    std::optional<Instruction> maker;
  };
  const ValueNumbering values(function_);
  std::vector<std::uint32_t> home_of(values.count(), kNone);
  std::vector<Home> homes;
  {
    const std::vector<Candidate> candidates = candidates_of(function_, values);
    for (const std::uint32_t value : spilled) {
      home_of[value] = static_cast<std::uint32_t>(homes.size());
      Home home;
      if (can_be_made_anew(candidates[value])) {
        home.maker = *candidates[value].maker;
      } else {
        home.slot = new_slot(function_.registers[value].width);
      }
      homes.push_back(home);
    }
  }
  const auto is_spilled = [&](const Operand& operand) {
    return operand.is_register() && operand.index < home_of.size() &&
           home_of[operand.index] != kNone;
  };
  for (Block& block : function_.blocks) {
    std::vector<Instruction> rewritten;
    rewritten.reserve(block.instructions.size());
    for (Instruction& instruction : block.instructions) {
      // The one writer of a value that is made anew where it is read goes.
      if (instruction.destinations.size() == 1 && is_spilled(instruction.destinations[0]) &&
          homes[home_of[instruction.destinations[0].index]].maker) {
        continue;
      }
      const auto reload = [&](const Operand& spilled_operand) {
        const Home& home = homes[home_of[spilled_operand.index]];
        const std::uint32_t width = spilled_operand.width;
        const Operand fresh = Operand::reg(new_register(width), static_cast<int>(width));
        Instruction load;
        if (home.maker) {
          load = *home.maker;
          load.destinations[0] = fresh;
        } else {
          load = slot_access(Operation::load_local_slot, width, home.slot, instruction);
          load.destinations.push_back(fresh);
          ++counts_.loads;
        }
        rewritten.push_back(load);
        const std::uint32_t old = spilled_operand.index;
        for (Operand& same : instruction.sources) {
          if (same.is_register() && same.index == old) same.index = fresh.index;
        }
        return fresh.index;
      };
      std::vector<Instruction> behind;
      for (Operand& destination : instruction.destinations) {
        if (!is_spilled(destination)) continue;
        const Home& home = homes[home_of[destination.index]];
        // A guarded write completes the old value, which comes from the stack and goes back whole.
        destination.index = keeps_old_values(instruction) ? reload(Operand(destination))
                                                          : new_register(destination.width);
        Instruction store =
            slot_access(Operation::store_local_slot, destination.width, home.slot, instruction);
        store.sources.push_back(destination);
        ++counts_.stores;
        behind.push_back(store);
      }
      for (std::size_t i = 0; i < instruction.sources.size(); ++i) {
        if (is_spilled(instruction.sources[i])) reload(Operand(instruction.sources[i]));
      }
      rewritten.push_back(instruction);
      rewritten.insert(rewritten.end(), behind.begin(), behind.end());
    }
    block.instructions = std::move(rewritten);
  }
}

// A spilled predicate lives in bit 0 of a register, which may itself be spilled later.
void Spiller::rewrite_predicates(const std::vector<std::uint32_t>& spilled) {
  const ValueNumbering values(function_);
  std::vector<std::uint32_t> register_of(function_.predicates, kNone);
  for (const std::uint32_t value : spilled) {
    register_of[value - values.registers()] = function_.new_register();
  }
  const auto new_predicate = [&] {
    const std::uint32_t made = function_.new_predicate();
    short_lived_predicates_.resize(function_.predicates);
    short_lived_predicates_[made] = true;
    return made;
  };
  for (Block& block : function_.blocks) {
    std::vector<Instruction> rewritten;
    rewritten.reserve(block.instructions.size());
    for (Instruction& instruction : block.instructions) {
      const auto home_of = [&](std::uint32_t predicate) {
        return predicate < register_of.size() ? register_of[predicate] : kNone;
      };
      const auto reload = [&](std::uint32_t predicate) {
        Instruction load;
        load.operation = Operation::register_to_predicates;
        load.type = ValueType::b32;
        load.ptx_line = instruction.ptx_line;
        load.source = instruction.source;
        const std::uint32_t fresh = new_predicate();
        load.destinations.push_back(Operand::predicate(fresh));
        load.sources.push_back(Operand::reg(home_of(predicate)));
        rewritten.push_back(load);
        const std::uint32_t old = predicate;
        if (instruction.guard.predicate == old) instruction.guard.predicate = fresh;
        for (Operand& same : instruction.sources) {
          if (same.is_predicate() && same.index == old) same.index = fresh;
        }
        return fresh;
      };
      if (instruction.guard.present() && home_of(instruction.guard.predicate) != kNone) {
        reload(instruction.guard.predicate);
      }
      std::vector<Instruction> behind;
      for (Operand& destination : instruction.destinations) {
        if (!destination.is_predicate() || home_of(destination.index) == kNone) continue;
        Instruction store;
        store.operation = Operation::predicates_to_register;
        store.type = ValueType::b32;
        store.ptx_line = instruction.ptx_line;
        store.source = instruction.source;
        store.destinations.push_back(Operand::reg(home_of(destination.index)));
        destination.index =
            keeps_old_values(instruction) ? reload(destination.index) : new_predicate();
        store.sources.push_back(destination);
        behind.push_back(store);
      }
      for (std::size_t i = 0; i < instruction.sources.size(); ++i) {
        const Operand source = instruction.sources[i];
        if (source.is_predicate() && home_of(source.index) != kNone) reload(source.index);
      }
      rewritten.push_back(instruction);
      rewritten.insert(rewritten.end(), behind.begin(), behind.end());
    }
    block.instructions = std::move(rewritten);
  }
}

}  // namespace heddle::code
