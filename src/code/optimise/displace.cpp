#include <bit>
#include <limits>

#include "code/effects.h"
#include "code/optimise/makers.h"
#include "code/optimise/passes.h"

namespace heddle::code {
namespace {

using Kind = Operand::Kind;

/// An address: source 0 of what adds Instruction::offset to it.
bool has_displaced_address(const Instruction& instruction) {
  return instruction.operation == Operation::load || instruction.operation == Operation::store ||
         instruction.operation == Operation::atomic || instruction.operation == Operation::prefetch;
}

constexpr std::int64_t kNearOffset = 1 << 24;

bool is_near(std::int64_t offset) { return offset <= kNearOffset && offset >= -kNearOffset; }

class Displacement {
 public:
  explicit Displacement(Function& function)
      : function_(function),
        makers_(function),
        displacement_(values().count()),
        addresses_(values().count()) {
    for (const BasicBlock& block : function.blocks) {
      for (const Instruction& instruction : block.instructions) {
        if (!has_displaced_address(instruction) || instruction.sources.empty() ||
            !instruction.sources[0].is_register() || !is_near(instruction.offset)) {
          continue;
        }
        ++addresses_[values().of(instruction.sources[0])];
      }
    }
  }

  bool run() {
    for (const std::uint32_t block : makers_.dominators().preorder()) {
      for (std::uint32_t i = 0; i < function_.blocks[block].instructions.size(); ++i) {
        makers_.stand_at(block, i);
        Instruction& instruction = function_.blocks[block].instructions[i];
        if (has_displaced_address(instruction)) displace(instruction);
        if (is_address(instruction)) leave_displacement_to_readers(instruction);
        makers_.pass(instruction);
      }
    }
    return changed_;
  }

 private:
  const ValueNumbering& values() const { return makers_.definitions().values(); }

  void displace(Instruction& instruction) {
    if (instruction.sources.empty()) return;
    if (instruction.sources[0].kind == Kind::immediate) {
      displace_known(instruction);
      return;
    }
    if (!instruction.sources[0].is_register()) return;
    std::int64_t displacement = 0;
    instruction.offset += displacement_[values().of(instruction.sources[0])];
    while (const Instruction* sum = makers_.displaced_sum(instruction.sources[0], displacement)) {
      if (displacement > std::numeric_limits<std::int32_t>::max() ||
          displacement < std::numeric_limits<std::int32_t>::min()) {
        return;
      }
      const std::int64_t offset = instruction.offset + displacement;
      if (offset > std::numeric_limits<std::int32_t>::max() ||
          offset < std::numeric_limits<std::int32_t>::min()) {
        return;
      }
      instruction.offset = offset;
      instruction.sources[0] = sum->sources[0];
      changed_ = true;
    }
  }

  /// A place in shared memory that is known is all displacement: two of them can be told apart.
  void displace_known(Instruction& instruction) {
    Operand& base = instruction.sources[0];
    if (instruction.space != Space::shared || base.bits == 0) return;
    const std::int64_t offset = instruction.offset + static_cast<std::int64_t>(base.bits);
    if (base.bits > kNearOffset || !is_near(offset)) return;
    instruction.offset = offset;
    base.bits = 0;
    changed_ = true;
  }

  /// A sum, a product or both that nothing reads but addresses.
  bool is_address(const Instruction& instruction) const {
    const bool is_sum =
        instruction.operation == Operation::add || instruction.operation == Operation::mad_lo ||
        instruction.operation == Operation::mad_wide ||
        instruction.operation == Operation::mul_lo || instruction.operation == Operation::shl;
    if (!is_sum || !is_plain(instruction) || !is_integer_or_bits(instruction.type)) return false;
    const std::uint32_t value = values().of(instruction.destinations[0]);
    return makers_.definitions().is_single(value) && displacement_[value] == 0 &&
           makers_.definitions().readers(value) == addresses_[value];
  }

  /// (x + d) + y and a * b + (x + d) are x + y and a * b + x, and what reads them adds d.
  void leave_displacement_to_readers(Instruction& instruction) {
    const std::uint32_t value = values().of(instruction.destinations[0]);
    if (instruction.operation == Operation::add) {
      if (!instruction.sources[0].is_register() || !instruction.sources[1].is_register()) return;
      if (!is_integer_word(instruction.type)) return;
      for (Operand& addend : instruction.sources) leave(addend, value);
      return;
    }
    if (instruction.operation != Operation::mad_wide && size_of(instruction.type) == 4) {
      leave_multiple(instruction, value);
    }
    if (instruction.sources.size() < 3) return;
    if (instruction.sources[2].is_register()) {
      leave(instruction.sources[2], value);
    } else if (instruction.operation == Operation::mad_lo && size_of(instruction.type) == 4) {
      drop_addend(instruction, value);
    }
  }

  void leave(Operand& addend, std::uint32_t value) {
    std::int64_t displacement = 0;
    const Instruction* sum = makers_.displaced_sum(addend, displacement);
    if (sum == nullptr || !is_near(displacement_[value] + displacement)) return;
    displacement_[value] += displacement;
    addend = sum->sources[0];
    changed_ = true;
  }

  /// (x + d) * c is x * c, and what reads it adds d * c: in 32 bits, which wrap as addresses do.
  void leave_multiple(Instruction& product, std::uint32_t value) {
    const Operand& factor = product.sources[1];
    if (factor.kind != Kind::immediate || factor.bits > kNearOffset) return;
    const bool is_shift = product.operation == Operation::shl;
    if (is_shift && factor.bits > 24) return;
    const std::int64_t multiplier =
        is_shift ? std::int64_t{1} << factor.bits : static_cast<std::int64_t>(factor.bits);
    std::int64_t displacement = 0;
    const Instruction* sum = makers_.displaced_sum(product.sources[0], displacement);
    if (sum == nullptr || !is_near(displacement) || !is_near(displacement * multiplier)) return;
    displacement_[value] += displacement * multiplier;
    product.sources[0] = sum->sources[0];
    changed_ = true;
  }

  /// Of a * b + d.
  void drop_addend(Instruction& product, std::uint32_t value) {
    if (product.sources[2].kind != Kind::immediate || product.sources[2].bits == 0) return;
    const auto displacement =
        static_cast<std::int32_t>(static_cast<std::uint32_t>(product.sources[2].bits));
    if (!is_near(displacement_[value] + displacement)) return;
    displacement_[value] += displacement;
    product.operation = Operation::mul_lo;
    product.sources.pop_back();
    Operand& factor = product.sources[1];
    if (factor.kind == Kind::immediate && std::has_single_bit(factor.bits)) {
      product.operation = Operation::shl;
      product.type = ValueType::b32;
      factor.bits = static_cast<std::uint64_t>(std::countr_zero(factor.bits));
    }
    changed_ = true;
  }

  Function& function_;
  Makers makers_;
  std::vector<std::int64_t> displacement_;  ///< By value: what its readers add to it.
  std::vector<std::uint32_t> addresses_;    ///< By value: how many readers can add something.
  bool changed_ = false;
};

}  // namespace

bool displace_addresses(Function& function) {
  return !function.blocks.empty() && Displacement(function).run();
}

}  // namespace heddle::code
