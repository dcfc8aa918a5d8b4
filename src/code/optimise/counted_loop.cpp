#include "code/optimise/counted_loop.h"

#include "code/effects.h"

namespace heddle::code {
namespace {

/// Whether an instruction writes the register or predicate `operand`.
bool writes(const Instruction& instruction, const Operand& operand) {
  bool found = false;
  for_each_written(instruction, [&](const Operand& written) {
    found = found || (written.kind == operand.kind && written.index == operand.index);
  });
  return found;
}

std::uint32_t times_written(const BasicBlock& block, const Operand& operand) {
  std::uint32_t count = 0;
  for (const Instruction& instruction : block.instructions) {
    for_each_written(instruction, [&](const Operand& written) {
      if (written.kind == operand.kind && written.index == operand.index) ++count;
    });
  }
  return count;
}

bool is_32_bit_integer(ValueType type) {
  return type == ValueType::s32 || type == ValueType::u32 || type == ValueType::b32;
}

/// Follows the block's moves backwards from instruction `index`. Returns the register that
/// `operand` is a copy of when the instruction reads it, or `operand` itself if it is no copy.
Operand origin_in(const BasicBlock& block, Operand operand, std::size_t index) {
  for (std::size_t i = index; i-- > 0;) {
    const Instruction& instruction = block.instructions[i];
    if (!writes(instruction, operand)) continue;
    if (instruction.operation != Operation::move || instruction.guard.present() ||
        !instruction.sources[0].is_register()) {
      return operand;
    }
    operand = instruction.sources[0];
  }
  return operand;
}

/// Finds the only instruction that writes the condition, and sets the loop's bound and comparison.
/// Returns false if there is no such comparison.
bool find_comparison(const BasicBlock& block, const Guard& guard, CountedLoop& loop) {
  const Operand condition = Operand::predicate(guard.predicate);
  if (times_written(block, condition) != 1) return false;
  while (!writes(block.instructions[loop.compare_index], condition)) ++loop.compare_index;
  const Instruction& compare = block.instructions[loop.compare_index];
  if (compare.operation != Operation::setp || compare.guard.present() ||
      compare.boolean != Boolean::none || compare.destinations.size() != 1 ||
      !is_32_bit_integer(compare.type) || !compare.sources[0].is_register()) {
    return false;
  }
  loop.type = compare.type;
  loop.bound = compare.sources[1];
  loop.comparison = compare.comparison;
  if (guard.negated) {
    if (compare.comparison == Comparison::equal) {
      loop.comparison = Comparison::not_equal;
    } else if (compare.comparison == Comparison::greater_equal) {
      loop.comparison = Comparison::less;
    } else {
      return false;
    }
  }
  return !loop.bound.is_register() || times_written(block, loop.bound) == 0;
}

/// Whether instruction `index` is counter = counter + step and the loop compares the new counter.
/// Sets the counter and the step.
bool is_counter_update(const BasicBlock& block, std::size_t index, CountedLoop& loop) {
  const Instruction& add = block.instructions[index];
  if (add.operation != Operation::add || add.guard.present() || !is_32_bit_integer(add.type) ||
      add.saturate || add.carry_in || add.carry_out || !add.sources[0].is_register() ||
      add.sources[1].kind != Operand::Kind::immediate) {
    return false;
  }
  const Operand sum = add.destinations[0];
  const Operand compared = block.instructions[loop.compare_index].sources[0];
  if (index >= loop.compare_index ||
      origin_in(block, compared, loop.compare_index).index != sum.index ||
      times_written(block, sum) != 1) {
    return false;
  }
  // At the end of the iteration, the counter register must contain the sum.
  const Operand base = origin_in(block, add.sources[0], index);
  const Operand carried = origin_in(block, base, block.instructions.size());
  if (carried.index != sum.index || times_written(block, base) != 1) return false;
  // The counter must not be written before it is read here.
  for (std::size_t i = 0; i < index; ++i) {
    if (writes(block.instructions[i], base)) return false;
  }
  loop.counter = base;
  loop.step = static_cast<std::uint32_t>(add.sources[1].bits);
  return true;
}

/// Whether the loop counts down to zero by ones. Such a loop is usually the remainder of a loop
/// that the CUDA compiler has unrolled, and has too few iterations to be worth unrolling.
bool is_remainder_loop(const CountedLoop& loop) {
  return loop.step == ~std::uint32_t{0} && loop.bound.kind == Operand::Kind::immediate &&
         loop.bound.bits == 0;
}

/// Whether the number of remaining iterations follows from the counter's distance to the bound.
bool has_known_trip_count(const CountedLoop& loop) {
  const bool counts_up = loop.step > 0 && loop.step <= 0xffff;
  if (loop.comparison == Comparison::less) return counts_up;
  if (loop.comparison != Comparison::not_equal) return false;
  const bool counts_down = loop.step >= 0xffff'0000;
  return counts_up || counts_down;
}

}  // namespace

std::optional<CountedLoop> find_counted_loop(const Function& function, BlockIndex index) {
  const BasicBlock& block = function.blocks[index];
  if (block.instructions.empty()) return std::nullopt;
  const Instruction& branch = block.instructions.back();
  if (branch.operation != Operation::branch || branch.target != index || !branch.guard.present()) {
    return std::nullopt;
  }
  CountedLoop loop;
  if (!find_comparison(block, branch.guard, loop)) return std::nullopt;
  for (std::size_t i = 0; i < block.instructions.size(); ++i) {
    if (!is_counter_update(block, i, loop)) continue;
    if (has_known_trip_count(loop) && !is_remainder_loop(loop)) return loop;
  }
  return std::nullopt;
}

}  // namespace heddle::code
