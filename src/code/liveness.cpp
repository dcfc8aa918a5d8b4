#include "code/liveness.h"

#include <utility>

#include "code/effects.h"

namespace heddle::code {
namespace {

using BlockSets = std::vector<std::uint64_t>;

void set(BlockSets& sets, std::size_t base, std::uint32_t bit) {
  sets[base + bit / 64] |= std::uint64_t{1} << (bit % 64);
}

}  // namespace

Liveness::Liveness(const Function& function, const Graph& control_flow)
    : bit_of_(ValueNumbering(function).count(), kNone) {
  const ValueNumbering values(function);
  const std::size_t blocks = function.blocks.size();

  // Find the crossing values: those that some block reads before it has certainly written them.
  std::vector<std::uint32_t> written_in(values.count(), kNone);
  std::vector<std::pair<BlockIndex, std::uint32_t>> exposures;
  for (BlockIndex block = 0; block < blocks; ++block) {
    const auto read = [&](std::uint32_t value) {
      if (written_in[value] == block) return;
      if (bit_of_[value] == kNone) {
        bit_of_[value] = static_cast<std::uint32_t>(crossing_.size());
        crossing_.push_back(value);
      }
      if (exposures.empty() || exposures.back() != std::pair{block, value}) {
        exposures.emplace_back(block, value);
      }
    };
    for (const Instruction& instruction : function.blocks[block].instructions) {
      for_each_read(instruction, [&](const Operand& operand) { read(values.number_of(operand)); });
      if (instruction.guard.present()) read(values.number_of(instruction.guard));
      for_each_written(instruction, [&](const Operand& operand) {
        if (keeps_old_values(instruction)) {
          read(values.number_of(operand));
        } else {
          written_in[values.number_of(operand)] = block;
        }
      });
    }
  }

  words_ = (crossing_.size() + 63) / 64;
  in_.assign(blocks * words_, 0);
  out_.assign(blocks * words_, 0);
  if (words_ == 0) return;
  BlockSets exposed(blocks * words_);
  BlockSets killed(blocks * words_);
  for (const auto& [block, value] : exposures) set(exposed, block * words_, bit_of_[value]);
  for (BlockIndex block = 0; block < blocks; ++block) {
    for (const Instruction& instruction : function.blocks[block].instructions) {
      if (keeps_old_values(instruction)) continue;
      for_each_written(instruction, [&](const Operand& operand) {
        const std::uint32_t bit = bit_of_[values.number_of(operand)];
        if (bit != kNone) set(killed, block * words_, bit);
      });
    }
  }
  solve_backward(control_flow, exposed, killed);
  drop_never_written(function, control_flow, values);
}

void Liveness::solve_backward(const Graph& control_flow, const BlockSets& exposed,
                              const BlockSets& killed) {
  std::vector<BlockIndex> work;
  std::vector<bool> waiting(control_flow.size(), true);
  for (BlockIndex block = 0; block < control_flow.size(); ++block) work.push_back(block);
  while (!work.empty()) {
    const BlockIndex block = work.back();
    work.pop_back();
    waiting[block] = false;
    const std::size_t base = block * words_;
    bool changed = false;
    for (std::size_t word = 0; word < words_; ++word) {
      std::uint64_t out = 0;
      for (const BlockIndex next : control_flow.successors(block)) out |= in_[next * words_ + word];
      out_[base + word] = out;
      const std::uint64_t in = exposed[base + word] | (out & ~killed[base + word]);
      changed = changed || in != in_[base + word];
      in_[base + word] = in;
    }
    if (!changed) continue;
    for (const BlockIndex before : control_flow.predecessors(block)) {
      if (!waiting[before]) {
        waiting[before] = true;
        work.push_back(before);
      }
    }
  }
}

// Some values are live at the function's entry: on some path they are read before they are written,
// for example if two guarded writes together define the value. Such a value counts as live only at
// points that some write to it reaches.
void Liveness::drop_never_written(const Function& function, const Graph& control_flow,
                                  const ValueNumbering& values) {
  bool any = false;
  for (std::size_t word = 0; word < words_; ++word) any = any || in_[word] != 0;
  if (!any) return;
  const BlockSets undefined(in_.begin(), in_.begin() + static_cast<std::ptrdiff_t>(words_));
  BlockSets reaching(in_.size());  // By block: the values that are written on a path to its end.
  for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
    for (const Instruction& instruction : function.blocks[block].instructions) {
      for_each_written(instruction, [&](const Operand& operand) {
        const std::uint32_t bit = bit_of_[values.number_of(operand)];
        if (bit != kNone) set(reaching, block * words_, bit);
      });
    }
  }
  const std::vector<std::uint32_t> order = control_flow.reverse_post_order(0);
  BlockSets before(in_.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (const BlockIndex block : order) {
      for (const BlockIndex previous : control_flow.predecessors(block)) {
        for (std::size_t word = 0; word < words_; ++word) {
          const std::uint64_t more =
              reaching[previous * words_ + word] & ~before[block * words_ + word];
          if (more == 0) continue;
          before[block * words_ + word] |= more;
          reaching[block * words_ + word] |= more;
          changed = true;
        }
      }
    }
  }
  for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
    for (std::size_t word = 0; word < words_; ++word) {
      in_[block * words_ + word] &= ~undefined[word] | before[block * words_ + word];
      out_[block * words_ + word] &= ~undefined[word] | reaching[block * words_ + word];
    }
  }
}

bool Liveness::test(const BlockSets& sets, BlockIndex block, std::uint32_t value) const {
  const std::uint32_t bit = bit_of_[value];
  return bit != kNone && (sets[block * words_ + bit / 64] >> (bit % 64) & 1) != 0;
}

}  // namespace heddle::code
