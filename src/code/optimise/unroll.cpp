#include <algorithm>
#include <optional>
#include <utility>

#include "code/control_flow.h"
#include "code/effects.h"
#include "code/liveness.h"
#include "code/optimise/counted_loop.h"
#include "code/optimise/passes.h"

namespace heddle::code {
namespace {

constexpr std::uint32_t kCopies = 4;
constexpr std::size_t kLongestBody = 40;
/// Where more registers live around a loop, there are none for several rounds at once.
constexpr std::uint32_t kMostLive = 24;

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

/// Worth the copies: it waits for memory, is short, nothing in it leaves or calls, and the text
/// does not forbid them.
bool is_worth_unrolling(const BasicBlock& block) {
  const auto& instructions = block.instructions;
  if (block.nounroll) return false;  // PTX ISA, `.pragma "nounroll"`
  if (instructions.empty() || instructions.size() > kLongestBody) return false;
  const auto leaves = [](const Instruction& instruction) {
    return is_terminator(instruction) || is_call(instruction) ||
           instruction.operation == Operation::system_call;
  };
  return std::any_of(instructions.begin(), instructions.end(), waits_for_memory) &&
         std::none_of(instructions.begin(), instructions.end(), is_slow) &&
         std::none_of(instructions.begin(), instructions.end() - 1, leaves);
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

  /// `at` is where the first of the three blocks will stand, the loop itself after them.
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
    if (!is_worth_unrolling(function.blocks[block])) continue;
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
