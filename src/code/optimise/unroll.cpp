#include <algorithm>
#include <optional>

#include "code/control_flow.h"
#include "code/effects.h"
#include "code/liveness.h"
#include "code/optimise/passes.h"

namespace heddle::code {
namespace {

constexpr std::uint32_t kCopies = 4;
constexpr std::size_t kLongestBody = 40;
/// Where more registers live around a loop, there are none for several rounds at once.
constexpr std::uint32_t kMostLive = 24;

/// A loop of one block that counts: what it adds to a register in each round, and the bound that it
/// compares it with at the end.
struct CountedLoop {
  std::size_t step_index = 0;  ///< Of the addition in the block.
  std::size_t compare_index = 0;
  std::uint32_t step = 0;
  Operand counter;
  Operand bound;
  ValueType type = ValueType::s32;
  Comparison comparison = Comparison::less;  ///< counter ? bound: go round again
};

std::uint32_t times_written(const BasicBlock& block, const Operand& operand) {
  std::uint32_t count = 0;
  for (const Instruction& instruction : block.instructions) {
    for_each_written(instruction, [&](const Operand& written) {
      if (written.kind == operand.kind && written.index == operand.index) ++count;
    });
  }
  return count;
}

bool is_word(ValueType type) {
  return type == ValueType::s32 || type == ValueType::u32 || type == ValueType::b32;
}

/// Follows copies backward within the block: what register `operand` was at instruction `index`.
Operand origin_in(const BasicBlock& block, Operand operand, std::size_t index) {
  for (std::size_t i = index; i-- > 0;) {
    const Instruction& instruction = block.instructions[i];
    bool writes = false;
    for_each_written(instruction, [&](const Operand& written) {
      writes = writes || (written.kind == operand.kind && written.index == operand.index);
    });
    if (!writes) continue;
    if (instruction.operation != Operation::move || instruction.guard.present() ||
        !instruction.sources[0].is_register()) {
      return operand;
    }
    operand = instruction.sources[0];
  }
  return operand;
}

/// Work on units so few that rounds would only wait for each other.
bool is_slow(const Instruction& instruction) {
  return instruction.operation == Operation::div || instruction.operation == Operation::rem;
}

/// Waits for memory that the rounds of an unrolled loop can wait for together.
bool waits_for_memory(const Instruction& instruction) {
  if (instruction.operation == Operation::texture) return true;
  return instruction.operation == Operation::load &&
         (instruction.space == Space::global || instruction.space == Space::generic ||
          (instruction.space == Space::shared && size_of(instruction.type) <= 4));
}

std::optional<CountedLoop> find_counted_loop(const Function& function, BlockIndex index) {
  const BasicBlock& block = function.blocks[index];
  if (std::none_of(block.instructions.begin(), block.instructions.end(), waits_for_memory) ||
      std::any_of(block.instructions.begin(), block.instructions.end(), is_slow)) {
    return std::nullopt;
  }
  if (block.instructions.size() < 3 || block.instructions.size() > kLongestBody) {
    return std::nullopt;
  }
  const Instruction& branch = block.instructions.back();
  if (branch.operation != Operation::branch || branch.target != index || !branch.guard.present()) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i + 1 < block.instructions.size(); ++i) {
    const Instruction& instruction = block.instructions[i];
    if (is_terminator(instruction) || is_call(instruction) ||
        instruction.operation == Operation::system_call) {
      return std::nullopt;
    }
  }
  CountedLoop loop;
  const Operand condition = Operand::predicate(branch.guard.predicate);
  if (times_written(block, condition) != 1) return std::nullopt;
  while (loop.compare_index + 1 < block.instructions.size()) {
    const Instruction& candidate = block.instructions[loop.compare_index];
    bool found = false;
    for_each_written(candidate, [&](const Operand& operand) {
      found = found || (operand.is_predicate() && operand.index == condition.index);
    });
    if (found) break;
    ++loop.compare_index;
  }
  const Instruction& compare = block.instructions[loop.compare_index];
  if (compare.operation != Operation::setp || compare.guard.present() ||
      compare.boolean != Boolean::none || compare.destinations.size() != 1 ||
      !is_word(compare.type) || !compare.sources[0].is_register()) {
    return std::nullopt;
  }
  loop.type = compare.type;
  loop.bound = compare.sources[1];
  loop.comparison = compare.comparison;
  if (branch.guard.negated) {
    switch (compare.comparison) {
      case Comparison::equal:
        loop.comparison = Comparison::not_equal;
        break;
      case Comparison::greater_equal:
        loop.comparison = Comparison::less;
        break;
      default:
        return std::nullopt;
    }
  }
  if (loop.bound.is_register() && times_written(block, loop.bound) != 0) return std::nullopt;

  // counter = counter + step, and what is compared is the new counter.
  for (loop.step_index = 0; loop.step_index < block.instructions.size(); ++loop.step_index) {
    const Instruction& add = block.instructions[loop.step_index];
    if (add.operation != Operation::add || add.guard.present() || !is_word(add.type) ||
        add.saturate || add.carry_in || add.carry_out || !add.sources[0].is_register() ||
        add.sources[1].kind != Operand::Kind::immediate) {
      continue;
    }
    const Operand sum = add.destinations[0];
    const Operand compared = compare.sources[0];
    const bool compares_sum =
        loop.compare_index > loop.step_index
            ? origin_in(block, compared, loop.compare_index).index == sum.index &&
                  times_written(block, sum) == 1
            : false;
    if (!compares_sum) continue;
    // At the end of the round the register that was added to holds the sum.
    const Operand base = origin_in(block, add.sources[0], loop.step_index);
    const Operand carried = origin_in(block, base, block.instructions.size());
    if (carried.index != sum.index || times_written(block, base) != 1) continue;
    // Nor was it written before it was read here.
    bool early = false;
    for (std::size_t i = 0; i < loop.step_index; ++i) {
      for_each_written(block.instructions[i], [&](const Operand& operand) {
        early = early || (operand.is_register() && operand.index == base.index);
      });
    }
    if (early) continue;
    loop.counter = base;
    loop.step = static_cast<std::uint32_t>(add.sources[1].bits);
    const bool counts_up = loop.step > 0 && loop.step <= 0xffff;
    if (loop.comparison == Comparison::less && counts_up) return loop;
    const bool by_few = counts_up || loop.step >= 0xffff'0000;
    // What counts down to zero is what a front end that unrolled the loop left over.
    const bool is_rest = loop.step == ~std::uint32_t{0} &&
                         loop.bound.kind == Operand::Kind::immediate && loop.bound.bits == 0;
    if (loop.comparison == Comparison::not_equal && !is_rest && by_few) return loop;
  }
  return std::nullopt;
}

Instruction make(Operation operation, ValueType type, const Operand& destination,
                 const Operand& first, const Operand& second, const Instruction& beside) {
  Instruction instruction;
  instruction.operation = operation;
  instruction.type = type;
  instruction.destinations.push_back(destination);
  instruction.sources.push_back(first);
  instruction.sources.push_back(second);
  instruction.ptx_line = beside.ptx_line;
  instruction.source = beside.source;
  return instruction;
}

/// The blocks that stand before a loop: a test, the unrolled loop, and its own end.
class Unrolled {
 public:
  Unrolled(Function& function, const CountedLoop& loop, BlockIndex index)
      : function_(function), loop_(loop), body_(function.blocks[index]) {}

  /// `at` is where the first of the three blocks will stand, the loop itself behind them.
  std::vector<BasicBlock> make_blocks(BlockIndex at) {
    const BlockIndex rest = at + 3;
    BasicBlock test;
    enough_rounds(test, true);
    test.instructions.push_back(branch(rest, true));

    BasicBlock main;
    for (std::uint32_t copy = 0; copy < kCopies; ++copy) {
      main.instructions.insert(main.instructions.end(), body_.instructions.begin(),
                               body_.instructions.end() - 1);
    }
    Instruction leave = body_.instructions.back();
    leave.guard.negated = !leave.guard.negated;
    leave.target = rest + 1;
    main.instructions.push_back(leave);

    BasicBlock again;
    enough_rounds(again, false);
    again.instructions.push_back(branch(at + 1, false));
    return {test, main, again};
  }

 private:
  /// enough_ = whether the loop goes round kCopies times more at least, and nothing wraps round.
  void enough_rounds(BasicBlock& block, bool first) {
    const Instruction& beside = body_.instructions[loop_.compare_index];
    if (first) enough_ = Operand::predicate(function_.new_predicate());
    if (loop_.comparison == Comparison::not_equal) {
      // The distance to the bound, in steps of either sign.
      const bool down = loop_.step > 0x7fff'ffff;
      const std::uint32_t step = down ? ~loop_.step + 1 : loop_.step;
      const Operand distance = Operand::reg(function_.new_register());
      block.instructions.push_back(make(Operation::sub, ValueType::u32, distance,
                                        down ? loop_.counter : loop_.bound,
                                        down ? loop_.bound : loop_.counter, beside));
      Instruction compare = make(Operation::setp, ValueType::u32, enough_, distance,
                                 Operand::immediate((kCopies - 1) * std::uint64_t{step}), beside);
      compare.comparison = Comparison::greater;
      block.instructions.push_back(compare);
      return;
    }
    const std::uint32_t ahead = (kCopies - 1) * loop_.step;
    if (first) {
      last_start_ = Operand::reg(function_.new_register());
      block.instructions.push_back(make(Operation::sub, ValueType::u32, last_start_, loop_.bound,
                                        Operand::immediate(ahead), beside));
    }
    Instruction compare =
        make(Operation::setp, loop_.type, enough_, loop_.counter, last_start_, beside);
    compare.comparison = Comparison::less;
    if (first) {
      // The bound less what lies ahead must not have wrapped round.
      const Operand whole = Operand::predicate(function_.new_predicate());
      Instruction check =
          make(Operation::setp, loop_.type, whole, last_start_, loop_.bound, beside);
      check.comparison = Comparison::less;
      block.instructions.push_back(check);
      compare.boolean = Boolean::and_;
      compare.sources.push_back(whole);
    }
    block.instructions.push_back(compare);
  }

  Instruction branch(BlockIndex target, bool unless) const {
    Instruction instruction;
    instruction.operation = Operation::branch;
    instruction.target = target;
    instruction.guard = {enough_.index, unless};
    instruction.ptx_line = body_.instructions.back().ptx_line;
    instruction.source = body_.instructions.back().source;
    return instruction;
  }

  Function& function_;
  const CountedLoop& loop_;
  const BasicBlock body_;
  Operand enough_;
  Operand last_start_;
};

}  // namespace

void unroll_loops(Function& function) {
  std::vector<BasicBlock> blocks;
  std::vector<BlockIndex> start(function.blocks.size() + 1);
  struct Unroll {
    BlockIndex old_index;
    CountedLoop loop;
  };
  std::vector<Unroll> loops;
  const Liveness liveness(function, control_flow_of(function));
  for (BlockIndex block = 0; block + 1 < function.blocks.size(); ++block) {
    const auto loop = find_counted_loop(function, block);
    if (!loop) continue;
    std::uint32_t live = 0;
    liveness.for_each_live_in(block, [&](std::uint32_t value) {
      if (value < function.registers.size()) live += function.registers[value].width;
    });
    if (live <= kMostLive) loops.push_back({block, *loop});
  }
  if (loops.empty()) return;

  // New positions: what led to a loop leads to its test; only the loop leads to itself.
  std::size_t next = 0;
  BlockIndex at = 0;
  std::vector<BlockIndex> body_at(function.blocks.size());
  for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
    start[block] = at;
    if (next < loops.size() && loops[next].old_index == block) {
      at += 3;
      ++next;
    }
    body_at[block] = at++;
  }
  next = 0;
  for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
    if (next < loops.size() && loops[next].old_index == block) {
      Unrolled unrolled(function, loops[next].loop, block);
      for (BasicBlock& made : unrolled.make_blocks(start[block])) blocks.push_back(std::move(made));
      ++next;
    }
    BasicBlock& old = blocks.emplace_back(function.blocks[block]);
    if (old.instructions.empty()) continue;
    Instruction& last = old.instructions.back();
    if (last.operation != Operation::branch) continue;
    last.target = last.target == block ? body_at[block] : start[last.target];
  }
  for (auto& table : function.branch_tables) {
    for (BlockIndex& target : table) target = start[target];
  }
  function.blocks = std::move(blocks);
}

}  // namespace heddle::code
