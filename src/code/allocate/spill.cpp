#include "code/allocate/spill.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "code/effects.h"

namespace heddle::code {
namespace {

/// A value that may be spilled.
struct Candidate {
  /// The cost of spilling it: the number of instructions that read or write it, each weighted by
  /// how often it is expected to run.
  double weight = 0;
  std::vector<std::uint32_t> accesses;  ///< The numbers of the instructions that read or write it.
  const Instruction* writer = nullptr;  ///< Its last writer in program order.
  std::uint32_t writes = 0;             ///< The number of instructions that write it.
};

bool can_be_rematerialised(const Candidate& candidate) {
  if (candidate.writes != 1 || candidate.writer->guard.present() ||
      candidate.writer->destinations.size() != 1) {
    return false;
  }
  if (candidate.writer->operation == Operation::read_special) {
    return effects_of(*candidate.writer).repeatable;
  }
  if (candidate.writer->operation == Operation::load) {
    const bool at_known_address =
        candidate.writer->sources.empty() || !candidate.writer->sources[0].is_register();
    return candidate.writer->space == Space::constant && at_known_address &&
           effects_of(*candidate.writer).repeatable;
  }
  if (candidate.writer->operation != Operation::move) return false;
  const Operand& source = candidate.writer->sources[0];
  return !source.is_register() && !source.is_predicate();
}

/// By value. Each loop is expected to run eight iterations.
std::vector<Candidate> candidates_of(const Function& function, const ValueNumbering& values) {
  const std::vector<std::uint32_t> depths = loop_depths(control_flow_of(function));
  std::vector<Candidate> candidates(values.count());
  std::uint32_t number = 0;
  for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
    constexpr std::uint32_t kMaxDepth = 6;
    double expected_runs = 1;
    for (std::uint32_t i = 0; i < std::min(depths[block], kMaxDepth); ++i) expected_runs *= 8;
    for (const Instruction& instruction : function.blocks[block].instructions) {
      const auto access = [&](std::uint32_t value) {
        Candidate& candidate = candidates[value];
        if (candidate.accesses.empty() || candidate.accesses.back() != number) {
          candidate.accesses.push_back(number);
          candidate.weight += expected_runs;
        }
      };
      for_each_read(instruction,
                    [&](const Operand& operand) { access(values.number_of(operand)); });
      if (instruction.guard.present()) access(values.number_of(instruction.guard));
      for_each_written(instruction, [&](const Operand& operand) {
        const std::uint32_t value = values.number_of(operand);
        access(value);
        ++candidates[value].writes;
        candidates[value].writer = &instruction;
      });
      ++number;
    }
  }
  return candidates;
}

}  // namespace

/// How a spilled value is saved and obtained again.
struct Spiller::SpillLocation {
  /// Reloads or recomputes the value. The destination is added when the instruction is emitted.
  Instruction load;
  /// Stores the value. The source is added when the instruction is emitted. Empty if `load`
  /// recomputes the value.
  std::optional<Instruction> store;
};

/// The locations of spilled registers, all of one class.
class Spiller::SpillLocations {
 public:
  SpillLocations(RegisterClass register_class, std::uint32_t registers)
      : register_class_(register_class), place_of_(registers, kNone) {}

  void add(std::uint32_t index, const SpillLocation& location) {
    place_of_[index] = static_cast<std::uint32_t>(locations_.size());
    locations_.push_back(location);
  }
  RegisterClass register_class() const { return register_class_; }
  /// The location of an operand; null if it is not a spilled register.
  const SpillLocation* find(const Operand& operand) const {
    if (!has_class(register_class_, operand) || operand.index >= place_of_.size() ||
        place_of_[operand.index] == kNone) {
      return nullptr;
    }
    return &locations_[place_of_[operand.index]];
  }

 private:
  RegisterClass register_class_;
  std::vector<std::uint32_t> place_of_;  ///< By register: its index in locations_, or kNone.
  std::vector<SpillLocation> locations_;
};

bool Spiller::reduce_pressure(RegisterClass register_class, std::uint32_t target) {
  const std::vector<std::uint32_t> spilled = choose(register_class, target, Victims::all);
  if (spilled.empty()) return false;
  rewrite(register_class, spilled);
  return true;
}

void Spiller::rematerialise(std::uint32_t target) {
  constexpr RegisterClass kClass = RegisterClass::general;
  const std::vector<std::uint32_t> chosen = choose(kClass, target, Victims::rematerialisable);
  if (!chosen.empty()) rewrite(kClass, chosen);
}

std::vector<std::uint32_t> Spiller::choose(RegisterClass register_class, std::uint32_t target,
                                           Victims victims) const {
  const ValueNumbering values(function_);
  const LiveRanges ranges(function_, values);
  std::vector<Candidate> candidates = candidates_of(function_, values);
  const auto width_of = [&](std::uint32_t value) -> std::int32_t {
    return static_cast<std::int32_t>(function_.width_of(register_class, values.index_of(value)));
  };
  const auto is_short_lived = [&](std::uint32_t value) {
    const std::vector<bool>& marks = short_lived_[register_class];
    const std::uint32_t index = values.index_of(value);
    return index < marks.size() && marks[index];
  };

  std::vector<std::int32_t> pressure(ranges.end + 1);
  // A live segment of a value.
  struct Start {
    std::uint32_t position;
    std::uint32_t value;
    std::uint32_t end;
  };
  std::vector<Start> starts;
  for (std::uint32_t value = 0; value < values.count(); ++value) {
    if (values.class_of(value) != register_class) continue;
    for (const Segment& segment : ranges.by_value[value]) {
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
    for (const Segment& segment : ranges.by_value[value]) length += segment.end - segment.start;
    cost[value] = candidates[value].weight / length;
    constexpr double kRematerialised = 0.5;  // It needs no store.
    if (can_be_rematerialised(candidates[value])) cost[value] *= kRematerialised;
  }

  std::vector<bool> is_spilled(values.count());
  std::vector<std::uint32_t> spilled;
  std::vector<Start> active;
  std::size_t next = 0;
  for (std::uint32_t at = 0; at < ranges.end; ++at) {
    while (next < starts.size() && starts[next].position <= at) active.push_back(starts[next++]);
    if (pressure[at] <= static_cast<std::int32_t>(target)) continue;
    std::erase_if(active,
                  [&](const Start& start) { return start.end <= at || is_spilled[start.value]; });
    while (pressure[at] > static_cast<std::int32_t>(target)) {
      // Spilling a value that this instruction names would not lower the pressure here.
      std::uint32_t best = kNone;
      for (const Start& start : active) {
        const auto& accesses = candidates[start.value].accesses;
        if (is_spilled[start.value] || is_short_lived(start.value) ||
            (victims == Victims::rematerialisable &&
             !can_be_rematerialised(candidates[start.value])) ||
            std::binary_search(accesses.begin(), accesses.end(), at / 2)) {
          continue;
        }
        if (best == kNone || cost[start.value] < cost[best]) best = start.value;
      }
      if (best == kNone) break;
      is_spilled[best] = true;
      spilled.push_back(best);
      for (const Segment& segment : ranges.by_value[best]) {
        for (std::uint32_t i = segment.start; i < segment.end; ++i) pressure[i] -= width_of(best);
      }
      for (const std::uint32_t access : candidates[best].accesses) {
        pressure[std::size_t{2} * access] += width_of(best);
        pressure[std::size_t{2} * access + 1] += width_of(best);
      }
    }
  }
  return spilled;
}

Spiller::SpillLocation Spiller::location_in_frame(std::uint32_t width) {
  const std::uint32_t bytes = width * 4;
  SpillLocation location;
  location.load.operation = Operation::load_local_slot;
  location.load.type = width == 1 ? ValueType::b32 : width == 2 ? ValueType::b64 : ValueType::b128;
  location.load.space = Space::local;
  const std::uint32_t offset = (function_.frame_bytes + bytes - 1) / bytes * bytes;
  location.load.offset = offset;
  function_.frame_bytes = offset + bytes;
  location.store = location.load;
  location.store->operation = Operation::store_local_slot;
  return location;
}

/// A predicate is kept in bit 0 of a register, which may itself be spilled later.
Spiller::SpillLocation Spiller::location_in_register() {
  const Operand carrier = Operand::reg(function_.new_register());
  SpillLocation location;
  location.load.operation = Operation::register_to_predicates;
  location.load.type = ValueType::b32;
  location.load.sources.push_back(carrier);
  location.store.emplace();
  location.store->operation = Operation::predicates_to_register;
  location.store->type = ValueType::b32;
  location.store->destinations.push_back(carrier);
  return location;
}

Spiller::SpillLocations Spiller::locations_of(RegisterClass register_class,
                                              const std::vector<std::uint32_t>& spilled) {
  const ValueNumbering values(function_);
  const std::vector<Candidate> candidates = candidates_of(function_, values);
  SpillLocations locations(register_class, function_.count_of(register_class));
  for (const std::uint32_t value : spilled) {
    const std::uint32_t index = values.index_of(value);
    if (can_be_rematerialised(candidates[value])) {
      SpillLocation location{.load = *candidates[value].writer, .store = {}};
      location.load.destinations.clear();
      locations.add(index, location);
    } else if (register_class == RegisterClass::predicate) {
      locations.add(index, location_in_register());
    } else {
      locations.add(index, location_in_frame(function_.width_of(register_class, index)));
    }
  }
  return locations;
}

std::uint32_t Spiller::new_short_lived(RegisterClass register_class, std::uint32_t width) {
  const std::uint32_t made = register_class == RegisterClass::general
                                 ? function_.new_register(static_cast<int>(width))
                                 : function_.new_predicate();
  short_lived_[register_class].resize(function_.count_of(register_class));
  short_lived_[register_class][made] = true;
  return made;
}

void Spiller::rewrite(RegisterClass register_class, const std::vector<std::uint32_t>& spilled) {
  const SpillLocations locations = locations_of(register_class, spilled);
  for (BasicBlock& block : function_.blocks) rewrite(block, locations);
}

void Spiller::rewrite(BasicBlock& block, const SpillLocations& locations) {
  const RegisterClass register_class = locations.register_class();
  std::vector<Instruction> rewritten;
  rewritten.reserve(block.instructions.size());
  for (Instruction& instruction : block.instructions) {
    // Drop the only writer of a value that is recomputed where it is read.
    if (instruction.destinations.size() == 1) {
      const SpillLocation* location = locations.find(instruction.destinations[0]);
      if (location != nullptr && !location->store) continue;
    }
    const auto at_same_line = [&](Instruction made) {
      made.ptx_line = instruction.ptx_line;
      made.source = instruction.source;
      return made;
    };
    // Emits the reload, replaces the register in all of the instruction's sources, and returns it.
    const auto reload = [&](const Operand spilled) {
      const SpillLocation& location = *locations.find(spilled);
      const std::uint32_t reloaded = new_short_lived(register_class, spilled.width);
      Instruction load = location.store ? at_same_line(location.load) : location.load;
      load.destinations.push_back(operand_of(register_class, reloaded, spilled.width));
      if (load.operation == Operation::load_local_slot) ++counts_.loads;
      rewritten.push_back(load);
      for (Operand& same : instruction.sources) {
        if (has_class(register_class, same) && same.index == spilled.index) same.index = reloaded;
      }
      std::uint32_t& guard = instruction.guard.predicate;
      if (register_class == RegisterClass::predicate && guard == spilled.index) guard = reloaded;
      return reloaded;
    };
    if (instruction.guard.present()) {
      const Operand guard = Operand::predicate(instruction.guard.predicate);
      if (locations.find(guard) != nullptr) reload(guard);
    }
    std::vector<Instruction> after;
    for (Operand& destination : instruction.destinations) {
      const SpillLocation* location = locations.find(destination);
      if (location == nullptr) continue;
      // A guarded write changes only some lanes, so reload the old value and store all lanes.
      destination.index = keeps_old_values(instruction)
                              ? reload(destination)
                              : new_short_lived(register_class, destination.width);
      Instruction store = at_same_line(*location->store);
      store.sources.push_back(destination);
      if (store.operation == Operation::store_local_slot) ++counts_.stores;
      after.push_back(store);
    }
    for (const Operand& source : instruction.sources) {
      if (locations.find(source) != nullptr) reload(source);
    }
    rewritten.push_back(instruction);
    rewritten.insert(rewritten.end(), after.begin(), after.end());
  }
  block.instructions = std::move(rewritten);
}

}  // namespace heddle::code
