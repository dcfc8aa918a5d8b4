#include "code/optimise/dependences.h"

#include <unordered_map>
#include <utility>

#include "code/effects.h"
#include "code/optimise/latency.h"

namespace heddle::code {
namespace {

/// The memory that an instruction accesses, as far as its operands tell.
struct Access {
  std::uint32_t instruction = 0;
  Space space = Space::generic;
  bool writes = false;
  bool has_known_address = false;  ///< Whether the fields below are valid.
  Operand base;
  std::uint32_t version = 0;  ///< How many instructions wrote the base register before.
  // The first and the last byte accessed, relative to the base.
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// Whether two accesses may conflict: they access a common byte, and at least one writes it.
bool may_conflict(const Access& a, const Access& b) {
  if (!a.writes && !b.writes) return false;
  if (a.space != b.space) return a.space == Space::generic || b.space == Space::generic;
  if (!a.has_known_address || !b.has_known_address || !(a.base == b.base) || a.version != b.version)
    return true;
  return a.first <= b.last && b.first <= a.last;
}

class DependenceFinder {
 public:
  DependenceFinder(std::span<const Instruction> instructions, const ValueNumbering& values)
      : instructions_(instructions), values_(values) {}

  std::vector<Dependence> run() {
    for (std::uint32_t i = 0; i < instructions_.size(); ++i) {
      const Instruction& instruction = instructions_[i];
      const Effects effects = effects_of(instruction);
      add_reads(i);
      if (effects.ordered || is_terminator(instruction)) {
        add_barrier(i);
      } else {
        if (barrier_ != kNone) add(barrier_, i, 1);
        if (effects.reads_memory || effects.writes_memory) add_memory_access(i, effects);
        // Instructions that synchronise lanes stay in order with each other.
        if (!effects.removable && !effects.reads_memory && !effects.writes_memory) {
          if (last_warp_wide_ != kNone) add(last_warp_wide_, i, 1);
          last_warp_wide_ = i;
        }
      }
      add_writes(i);
    }
    return std::move(edges_);
  }

 private:
  /// The accesses to a register or predicate so far.
  struct State {
    std::uint32_t writer = kNone;        ///< The last instruction that wrote it.
    std::uint32_t version = 0;           ///< How many instructions wrote it.
    std::vector<std::uint32_t> readers;  ///< The instructions that read it since the last write.
  };

  void add(std::uint32_t from, std::uint32_t to, std::uint32_t latency) {
    if (from != to) edges_.push_back({from, to, latency});
  }

  void add_read(std::uint32_t i, std::uint32_t value) {
    State& state = states_[value];
    if (state.writer != kNone) {
      add(state.writer, i, expected_latency(instructions_[state.writer]));
    }
    state.readers.push_back(i);
  }

  void add_reads(std::uint32_t i) {
    const Instruction& instruction = instructions_[i];
    for_each_read(instruction,
                  [&](const Operand& operand) { add_read(i, values_.number_of(operand)); });
    if (instruction.guard.present()) {
      add_read(i, values_.number_of(instruction.guard));
    }
    if (keeps_old_values(instruction)) {
      for_each_written(instruction,
                       [&](const Operand& operand) { add_read(i, values_.number_of(operand)); });
    }
  }

  void add_writes(std::uint32_t i) {
    for_each_written(instructions_[i], [&](const Operand& operand) {
      State& state = states_[values_.number_of(operand)];
      for (const std::uint32_t reader : state.readers) add(reader, i, 1);
      if (state.writer != kNone) add(state.writer, i, 1);
      state.writer = i;
      ++state.version;
      state.readers.clear();
    });
  }

  /// Adds an instruction that no other can be moved across.
  void add_barrier(std::uint32_t i) {
    for (std::uint32_t before = barrier_ == kNone ? 0 : barrier_; before < i; ++before) {
      add(before, i, 1);
    }
    barrier_ = i;
    accesses_.clear();
  }

  void add_memory_access(std::uint32_t i, const Effects& effects) {
    const Instruction& instruction = instructions_[i];
    Access access;
    access.instruction = i;
    access.space = instruction.space;
    access.writes = effects.writes_memory;
    const bool has_plain_address =
        instruction.operation == Operation::load || instruction.operation == Operation::store;
    if (has_plain_address && !instruction.sources.empty()) {
      access.has_known_address = true;
      access.base = instruction.sources[0];
      access.base.last_use = false;
      if (access.base.is_register())
        access.version = states_[values_.number_of(access.base)].version;
      access.first = instruction.offset;
      access.last = instruction.offset +
                    std::int64_t{size_of(instruction.type)} * instruction.vector_count - 1;
    } else if (instruction.operation == Operation::copy_async ||
               instruction.operation == Operation::prefetch) {
      access.space = Space::generic;
    }
    for (const Access& earlier : accesses_) {
      // Writes stay in program order, even to different addresses.
      if (may_conflict(earlier, access) || (earlier.writes && access.writes))
        add(earlier.instruction, i, 1);
    }
    accesses_.push_back(access);
  }

  std::span<const Instruction> instructions_;
  const ValueNumbering& values_;
  std::vector<Dependence> edges_;
  std::unordered_map<std::uint32_t, State> states_;  ///< By value.
  std::vector<Access> accesses_;                     ///< Memory accesses since barrier_.
  std::uint32_t barrier_ = kNone;  ///< The last instruction that no other can be moved across.
  std::uint32_t last_warp_wide_ = kNone;  ///< The last one that synchronises lanes.
};

}  // namespace

std::vector<Dependence> dependences_of(std::span<const Instruction> instructions,
                                       const ValueNumbering& values) {
  return DependenceFinder(instructions, values).run();
}

}  // namespace heddle::code
