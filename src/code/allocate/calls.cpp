#include "code/allocate/calls.h"

#include <algorithm>

#include "code/effects.h"
#include "code/physical_liveness.h"

namespace heddle::code {
namespace {

/// An instruction with the source location of the call.
Instruction make_at(const Instruction& call, Operation operation, ValueType type) {
  Instruction instruction;
  instruction.operation = operation;
  instruction.type = type;
  instruction.space = Space::local;
  instruction.ptx_line = call.ptx_line;
  instruction.source = call.source;
  return instruction;
}

class CallSaver {
 public:
  CallSaver(Function& function, std::uint32_t registers, const std::vector<std::uint32_t>& reserved)
      : function_(function),
        registers_(registers),
        reserved_(reserved),
        save_area_((function.frame_bytes + 7) / 8 * 8) {}

  std::uint32_t run() {
    const Graph control_flow = control_flow_of(function_);
    const std::vector<LiveSet> live_in = live_into_blocks(function_, control_flow);
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      auto& instructions = function_.blocks[block].instructions;
      if (std::none_of(instructions.begin(), instructions.end(), is_call)) continue;
      LiveSet live = live_out_of(control_flow, live_in, block);
      std::vector<Instruction> reversed;
      for (std::size_t i = instructions.size(); i-- > 0;) {
        if (is_call(instructions[i])) {
          append_with_saves(instructions[i], live, reversed);
        } else {
          reversed.push_back(instructions[i]);
        }
        step_back(instructions[i], live);
      }
      instructions.assign(reversed.rbegin(), reversed.rend());
    }
    return registers_;
  }

 private:
  /// Appends the instructions that restore `live`, then the call, then those that save `live`: the
  /// whole list is in reverse order.
  void append_with_saves(const Instruction& call, const LiveSet& live,
                         std::vector<Instruction>& reversed) {
    std::vector<Instruction> before;
    std::vector<Instruction> after;
    std::uint32_t offset = save_area_;
    for (std::uint32_t index = 0; index < LiveSet::kRegisters; ++index) {
      if (!live.has_register(index)) continue;
      const bool pair = index % 2 == 0 && live.has_register(index + 1);
      const std::uint32_t bytes = pair ? 8 : 4;
      offset = (offset + bytes - 1) / bytes * bytes;
      const ValueType type = pair ? ValueType::b64 : ValueType::b32;
      const Operand saved = Operand::reg(index, pair ? 2 : 1);
      Instruction store = make_at(call, Operation::store_local_slot, type);
      store.offset = offset;
      store.sources.push_back(saved);
      before.push_back(store);
      Instruction load = make_at(call, Operation::load_local_slot, type);
      load.offset = offset;
      load.destinations.push_back(saved);
      after.push_back(load);
      offset += bytes;
      if (pair) ++index;
    }
    save_predicates(call, live, offset, before, after);
    function_.frame_bytes = std::max(function_.frame_bytes, offset);
    reversed.insert(reversed.end(), after.rbegin(), after.rend());
    reversed.push_back(call);
    reversed.insert(reversed.end(), before.rbegin(), before.rend());
  }

  /// Adds the saves of predicates to `before` and their restores to `after`, at `offset` in the
  /// frame.
  void save_predicates(const Instruction& call, const LiveSet& live, std::uint32_t& offset,
                       std::vector<Instruction>& before, std::vector<Instruction>& after) {
    Instruction gather = make_at(call, Operation::predicates_to_register, ValueType::b32);
    Instruction scatter = make_at(call, Operation::register_to_predicates, ValueType::b32);
    for (std::uint32_t index = 0; index < LiveSet::kPredicates; ++index) {
      if (!live.has_predicate(index)) continue;
      gather.sources.push_back(Operand::predicate(index));
      scatter.destinations.push_back(Operand::predicate(index));
    }
    if (gather.sources.empty()) return;
    // All live registers are stored before the predicates and reloaded after them. So any register
    // that the call does not read can carry the predicates.
    const Operand carrier = Operand::reg(free_register(call, live));
    offset = (offset + 3) / 4 * 4;
    gather.destinations.push_back(carrier);
    before.push_back(gather);
    Instruction store = make_at(call, Operation::store_local_slot, ValueType::b32);
    store.offset = offset;
    store.sources.push_back(carrier);
    before.push_back(store);
    Instruction load = make_at(call, Operation::load_local_slot, ValueType::b32);
    load.offset = offset;
    load.destinations.push_back(carrier);
    scatter.sources.push_back(carrier);
    after.insert(after.begin(), {load, scatter});
    offset += 4;
  }

  /// A register that can carry the predicates.
  std::uint32_t free_register(const Instruction& call, const LiveSet& live) {
    LiveSet read;
    for_each_read(call, [&](const Operand& operand) { read.add(operand); });
    for (const std::uint32_t index : reserved_) read.add(Operand::reg(index));
    for (std::uint32_t index = 0; index < registers_; ++index) {
      if (!read.has_register(index) && !live.has_register(index)) return index;
    }
    for (std::uint32_t index = 0; index < registers_; ++index) {
      if (!read.has_register(index)) return index;
    }
    while (read.has_register(registers_)) ++registers_;
    return registers_++;
  }

  Function& function_;
  std::uint32_t registers_;
  const std::vector<std::uint32_t>& reserved_;
  std::uint32_t save_area_;  ///< Frame offset of the saved values; all calls use the same area.
};

}  // namespace

std::uint32_t save_across_calls(Function& function, std::uint32_t registers,
                                const std::vector<std::uint32_t>& reserved) {
  return CallSaver(function, registers, reserved).run();
}

}  // namespace heddle::code
