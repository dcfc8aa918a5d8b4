#include <bit>
#include <limits>

#include "code/effects.h"
#include "code/optimise/definition_walk.h"
#include "code/optimise/passes.h"

namespace heddle::code {
namespace {

using Kind = Operand::Kind;

/// Whether source 0 is an address to which Instruction::offset is added.
bool has_displaced_address(const Instruction& instruction) {
  return instruction.operation == Operation::load || instruction.operation == Operation::store ||
         instruction.operation == Operation::atomic || instruction.operation == Operation::prefetch;
}

/// The maximum displacement (a constant that is added to an address) in bytes, in either direction,
/// that is moved.
constexpr std::int64_t kNearOffset = 1 << 24;

bool is_near(std::int64_t offset) { return offset <= kNearOffset && offset >= -kNearOffset; }

class Displacement {
 public:
  explicit Displacement(Function& function)
      : function_(function),
        walk_(function),
        displacement_(values().count()),
        address_reads_(values().count()) {
    for (const BasicBlock& block : function.blocks) {
      for (const Instruction& instruction : block.instructions) {
        if (!has_displaced_address(instruction) || instruction.sources.empty() ||
            !instruction.sources[0].is_register() || !is_near(instruction.offset)) {
          continue;
        }
        ++address_reads_[values().number_of(instruction.sources[0])];
      }
    }
  }

  bool run() {
    for (const std::uint32_t block : walk_.dominators().preorder()) {
      for (std::uint32_t i = 0; i < function_.blocks[block].instructions.size(); ++i) {
        walk_.move_to(block, i);
        Instruction& instruction = function_.blocks[block].instructions[i];
        if (has_displaced_address(instruction)) displace(instruction);
        if (is_address(instruction)) move_displacement_to_readers(instruction);
        walk_.record_writes(instruction);
      }
    }
    return changed_;
  }

 private:
  const ValueNumbering& values() const { return walk_.definitions().values(); }

  /// Moves displacements of the instruction's address into its offset.
  void displace(Instruction& instruction) {
    if (instruction.sources.empty()) return;
    if (instruction.sources[0].kind == Kind::immediate) {
      displace_constant(instruction);
      return;
    }
    if (!instruction.sources[0].is_register()) return;
    std::int64_t displacement = 0;
    instruction.offset += displacement_[values().number_of(instruction.sources[0])];
    while (const Instruction* sum = walk_.displaced_sum(instruction.sources[0], displacement)) {
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

  /// Turns a constant address in shared memory into a displacement from address 0, so that the
  /// dependence analysis can tell two such addresses apart.
  void displace_constant(Instruction& instruction) {
    Operand& base = instruction.sources[0];
    if (instruction.space != Space::shared || base.bits == 0) return;
    const std::int64_t offset = instruction.offset + static_cast<std::int64_t>(base.bits);
    if (base.bits > kNearOffset || !is_near(offset)) return;
    instruction.offset = offset;
    base.bits = 0;
    changed_ = true;
  }

  /// Whether the result is a sum, product or multiply-add that is read only as an address.
  bool is_address(const Instruction& instruction) const {
    const bool is_sum =
        instruction.operation == Operation::add || instruction.operation == Operation::mad_lo ||
        instruction.operation == Operation::mad_wide ||
        instruction.operation == Operation::mul_lo || instruction.operation == Operation::shl;
    if (!is_sum || !is_plain(instruction) || !is_integer_or_bits(instruction.type)) return false;
    const std::uint32_t value = values().number_of(instruction.destinations[0]);
    return walk_.definitions().has_single_definition(value) && displacement_[value] == 0 &&
           walk_.definitions().read_count(value) == address_reads_[value];
  }

  /// Turns (x + d) + y into x + y, and a * b + (x + d) into a * b + x. The instructions that read
  /// the result add d to their offsets instead.
  void move_displacement_to_readers(Instruction& instruction) {
    const std::uint32_t value = values().number_of(instruction.destinations[0]);
    if (instruction.operation == Operation::add) {
      if (!instruction.sources[0].is_register() || !instruction.sources[1].is_register()) return;
      if (!is_32_or_64_bit_integer(instruction.type)) return;
      for (Operand& addend : instruction.sources) move_to_readers(addend, value);
      return;
    }
    if (instruction.operation != Operation::mad_wide && size_of(instruction.type) == 4) {
      move_scaled_to_readers(instruction, value);
    }
    if (instruction.sources.size() < 3) return;
    if (instruction.sources[2].is_register()) {
      move_to_readers(instruction.sources[2], value);
    } else if (instruction.operation == Operation::mad_lo && size_of(instruction.type) == 4) {
      drop_addend(instruction, value);
    }
  }

  /// Turns the addend x + d into x. The instructions that read `value` add d.
  void move_to_readers(Operand& addend, std::uint32_t value) {
    std::int64_t displacement = 0;
    const Instruction* sum = walk_.displaced_sum(addend, displacement);
    if (sum == nullptr || !is_near(displacement_[value] + displacement)) return;
    displacement_[value] += displacement;
    addend = sum->sources[0];
    changed_ = true;
  }

  /// Turns (x + d) * c into x * c. The instructions that read the result add d * c. The product has
  /// 32 bits and wraps around, like 32-bit addresses.
  void move_scaled_to_readers(Instruction& product, std::uint32_t value) {
    const Operand& factor = product.sources[1];
    if (factor.kind != Kind::immediate || factor.bits > kNearOffset) return;
    const bool is_shift = product.operation == Operation::shl;
    if (is_shift && factor.bits > 24) return;
    const std::int64_t multiplier =
        is_shift ? std::int64_t{1} << factor.bits : static_cast<std::int64_t>(factor.bits);
    std::int64_t displacement = 0;
    const Instruction* sum = walk_.displaced_sum(product.sources[0], displacement);
    if (sum == nullptr || !is_near(displacement) || !is_near(displacement * multiplier)) return;
    displacement_[value] += displacement * multiplier;
    product.sources[0] = sum->sources[0];
    changed_ = true;
  }

  /// Turns a * b + d into a * b. The instructions that read the result add d.
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
  DefinitionWalk walk_;
  std::vector<std::int64_t> displacement_;    ///< By value: what its readers add to their offsets.
  std::vector<std::uint32_t> address_reads_;  ///< By value: the number of reads as an address.
  bool changed_ = false;
};

}  // namespace

bool displace_addresses(Function& function) {
  return !function.blocks.empty() && Displacement(function).run();
}

}  // namespace heddle::code
