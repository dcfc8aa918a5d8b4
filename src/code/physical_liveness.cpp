#include "code/physical_liveness.h"

#include "code/effects.h"

namespace heddle::code {
namespace {

template <class Visit>
void for_each_bit(const Operand& operand, Visit&& visit) {
  if (operand.is_predicate()) {
    visit(LiveSet::kRegisters + operand.index);
  } else if (operand.is_register()) {
    for (std::uint32_t word = 0; word < operand.width; ++word) visit(operand.index + word);
  }
}

}  // namespace

void LiveSet::add(const Operand& operand) {
  for_each_bit(operand, [&](std::uint32_t bit) { bits.set(bit); });
}

void LiveSet::remove(const Operand& operand) {
  for_each_bit(operand, [&](std::uint32_t bit) { bits.reset(bit); });
}

bool LiveSet::has_any_of(const Operand& operand) const {
  bool any = false;
  for_each_bit(operand, [&](std::uint32_t bit) { any = any || bits[bit]; });
  return any;
}

void step_back(const Instruction& instruction, LiveSet& live) {
  if (!keeps_old_values(instruction)) {
    for_each_written(instruction, [&](const Operand& operand) { live.remove(operand); });
  }
  for_each_read(instruction, [&](const Operand& operand) { live.add(operand); });
  if (instruction.guard.present()) live.add(Operand::predicate(instruction.guard.predicate));
}

LiveSet live_out_of(const Graph& control_flow, const std::vector<LiveSet>& live_in,
                    BlockIndex block) {
  LiveSet live;
  for (const BlockIndex next : control_flow.successors(block)) live.bits |= live_in[next].bits;
  return live;
}

std::vector<LiveSet> live_into_blocks(const Function& function, const Graph& control_flow) {
  const std::size_t blocks = function.blocks.size();
  // The registers live at a block's entry are those that it reads before it writes them, and those
  // that are live at its exit and that it does not write.
  std::vector<LiveSet> read(blocks);
  std::vector<LiveSet> kept(blocks);
  for (BlockIndex block = 0; block < blocks; ++block) {
    const auto& instructions = function.blocks[block].instructions;
    kept[block].bits.set();
    for (std::size_t i = instructions.size(); i-- > 0;) {
      step_back(instructions[i], read[block]);
      if (keeps_old_values(instructions[i])) continue;
      for_each_written(instructions[i],
                       [&](const Operand& operand) { kept[block].remove(operand); });
    }
  }
  std::vector<LiveSet> live_in = read;
  std::vector<BlockIndex> work;
  std::vector<bool> waiting(blocks, true);
  for (BlockIndex block = 0; block < blocks; ++block) work.push_back(block);
  while (!work.empty()) {
    const BlockIndex block = work.back();
    work.pop_back();
    waiting[block] = false;
    const auto in =
        read[block].bits | (live_out_of(control_flow, live_in, block).bits & kept[block].bits);
    if (in == live_in[block].bits) continue;
    live_in[block].bits = in;
    for (const BlockIndex before : control_flow.predecessors(block)) {
      if (!waiting[before]) {
        waiting[before] = true;
        work.push_back(before);
      }
    }
  }
  return live_in;
}

void mark_last_uses(Function& function) {
  const Graph control_flow = control_flow_of(function);
  const std::vector<LiveSet> live_in = live_into_blocks(function, control_flow);
  for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
    LiveSet live = live_out_of(control_flow, live_in, block);
    auto& instructions = function.blocks[block].instructions;
    for (std::size_t i = instructions.size(); i-- > 0;) {
      Instruction& instruction = instructions[i];
      // A written register holds another value afterwards. A guarded write may keep the old one.
      LiveSet old = live;
      if (!keeps_old_values(instruction)) {
        for_each_written(instruction, [&](const Operand& operand) { old.remove(operand); });
      }
      for (Operand& source : instruction.sources) {
        source.last_use = source.is_register() && !old.has_any_of(source);
      }
      step_back(instruction, live);
    }
  }
}

}  // namespace heddle::code
