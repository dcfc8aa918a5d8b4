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

/// The number of original iterations in one iteration of an unrolled loop.
constexpr std::uint32_t kCopies = 4;
/// The maximum length of a loop that is unrolled, in instructions.
constexpr std::size_t kMaxBodyLength = 40;
/// The maximum number of registers that are live into a loop that is unrolled. With more, too few
/// registers would be left for several iterations at once.
constexpr std::uint32_t kMaxLive = 24;

/// Whether the instruction is so slow that the copies in an unrolled body would only wait for each
/// other.
bool is_slow(const Instruction& instruction) {
  return instruction.operation == Operation::div || instruction.operation == Operation::rem;
}

/// Whether the instruction waits for memory. The iterations of an unrolled loop can wait together.
bool waits_for_memory(const Instruction& instruction) {
  if (instruction.operation == Operation::texture) return true;
  return instruction.operation == Operation::load &&
         (instruction.space == Space::global || instruction.space == Space::generic ||
          (instruction.space == Space::shared && size_of(instruction.type) <= 4));
}

/// Whether the loop is worth unrolling: it waits for memory, is short, contains no exit or call,
/// and no pragma forbids it.
bool is_worth_unrolling(const BasicBlock& block) {
  const auto& instructions = block.instructions;
  if (block.nounroll) return false;  // PTX ISA, `.pragma "nounroll"`
  if (instructions.empty() || instructions.size() > kMaxBodyLength) return false;
  const auto leaves = [](const Instruction& instruction) {
    return is_terminator(instruction) || is_call(instruction) ||
           instruction.operation == Operation::system_call;
  };
  return std::any_of(instructions.begin(), instructions.end(), waits_for_memory) &&
         std::none_of(instructions.begin(), instructions.end(), is_slow) &&
         std::none_of(instructions.begin(), instructions.end() - 1, leaves);
}

Instruction make(Operation operation, ValueType type, const Operand& destination,
                 const Operand& first, const Operand& second, const Instruction& location) {
  Instruction instruction;
  instruction.operation = operation;
  instruction.type = type;
  instruction.destinations.push_back(destination);
  instruction.sources.push_back(first);
  instruction.sources.push_back(second);
  instruction.ptx_line = location.ptx_line;
  instruction.source = location.source;
  return instruction;
}

/// Makes the three blocks of an unrolled loop, which precede the original one: a test whether
/// enough iterations remain, the unrolled body, and the test for the body's next iteration.
class Unrolled {
 public:
  Unrolled(Function& function, const CountedLoop& loop, BlockIndex index)
      : function_(function), loop_(loop), body_(function.blocks[index]) {}

  /// `at` is the index that the first of the three blocks will have. The original loop follows them
  /// and runs the remaining iterations.
  std::vector<BasicBlock> make_blocks(BlockIndex at) {
    const BlockIndex rest = at + 3;
    BasicBlock test;
    append_trip_test(test, true);
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
    append_trip_test(again, false);
    again.instructions.push_back(branch(at + 1, false));
    return {test, main, again};
  }

 private:
  /// Emits the test: enough_trips_ = at least kCopies iterations remain, and no arithmetic wraps
  /// around. `first` is for the test before the loop.
  void append_trip_test(BasicBlock& block, bool first) {
    const Instruction& location = body_.instructions[loop_.compare_index];
    if (first) enough_trips_ = Operand::predicate(function_.new_predicate());
    if (loop_.comparison == Comparison::not_equal) {
      // The distance to the bound, in steps of either sign.
      const bool down = loop_.step > 0x7fff'ffff;
      const std::uint32_t step = down ? ~loop_.step + 1 : loop_.step;
      const Operand distance = Operand::reg(function_.new_register());
      block.instructions.push_back(make(Operation::sub, ValueType::u32, distance,
                                        down ? loop_.counter : loop_.bound,
                                        down ? loop_.bound : loop_.counter, location));
      Instruction compare = make(Operation::setp, ValueType::u32, enough_trips_, distance,
                                 Operand::immediate((kCopies - 1) * std::uint64_t{step}), location);
      compare.comparison = Comparison::greater;
      block.instructions.push_back(compare);
      return;
    }
    const std::uint32_t ahead = (kCopies - 1) * loop_.step;
    if (first) {
      last_start_ = Operand::reg(function_.new_register());
      block.instructions.push_back(make(Operation::sub, ValueType::u32, last_start_, loop_.bound,
                                        Operand::immediate(ahead), location));
    }
    Instruction compare =
        make(Operation::setp, loop_.type, enough_trips_, loop_.counter, last_start_, location);
    compare.comparison = Comparison::less;
    if (first) {
      // The subtraction from the bound must not have wrapped around.
      const Operand has_not_wrapped = Operand::predicate(function_.new_predicate());
      Instruction check =
          make(Operation::setp, loop_.type, has_not_wrapped, last_start_, loop_.bound, location);
      check.comparison = Comparison::less;
      block.instructions.push_back(check);
      compare.boolean = Boolean::and_;
      compare.sources.push_back(has_not_wrapped);
    }
    block.instructions.push_back(compare);
  }

  /// A branch to `target` if enough_trips_ is true, or false if `unless` is set.
  Instruction branch(BlockIndex target, bool unless) const {
    Instruction instruction;
    instruction.operation = Operation::branch;
    instruction.target = target;
    instruction.guard = {enough_trips_.index, unless};
    instruction.ptx_line = body_.instructions.back().ptx_line;
    instruction.source = body_.instructions.back().source;
    return instruction;
  }

  Function& function_;
  const CountedLoop& loop_;
  const BasicBlock body_;
  Operand enough_trips_;  ///< The predicate that the tests write.
  Operand last_start_;    ///< Bound - (kCopies - 1) * step: the counter must be less than this.
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
    if (live <= kMaxLive) loops.push_back({block, *loop});
  }
  if (loops.empty()) return;

  // Compute the new indices. Branches to a loop will lead to its first test, except the loop's own
  // branch, which still leads to the loop.
  std::size_t next = 0;
  BlockIndex at = 0;
  std::vector<BlockIndex> loop_index(function.blocks.size());
  for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
    start[block] = at;
    if (next < loops.size() && loops[next].old_index == block) {
      at += 3;
      ++next;
    }
    loop_index[block] = at++;
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
    last.target = last.target == block ? loop_index[block] : start[last.target];
  }
  for (auto& table : function.branch_tables) {
    for (BlockIndex& target : table) target = start[target];
  }
  function.blocks = std::move(blocks);
}

}  // namespace heddle::code
