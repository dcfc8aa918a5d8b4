#include <bit>
#include <limits>

#include "code/effects.h"
#include "code/optimise/definitions.h"
#include "code/optimise/fold.h"
#include "code/optimise/passes.h"

namespace heddle::code {
namespace {

using Kind = Operand::Kind;

bool is_integer_word(ValueType type) {
  return is_integer_or_bits(type) && (size_of(type) == 4 || size_of(type) == 8);
}

bool is_plain(const Instruction& instruction) {
  return !instruction.saturate && !instruction.carry_in && !instruction.carry_out &&
         !instruction.guard.present() && instruction.destinations.size() == 1;
}

/// An address: source 0 of what adds Instruction::offset to it.
bool has_displaced_address(const Instruction& instruction) {
  return instruction.operation == Operation::load || instruction.operation == Operation::store ||
         instruction.operation == Operation::atomic || instruction.operation == Operation::prefetch;
}

constexpr std::int64_t kNearOffset = 1 << 24;

class Combination {
 public:
  explicit Combination(Function& function)
      : function_(function),
        dominators_(control_flow_of(function), 0),
        definitions_(function, dominators_),
        last_written_(definitions_.values().count()),
        displacement_(definitions_.values().count()),
        addresses_(definitions_.values().count()) {
    for (const BasicBlock& block : function.blocks) {
      for (const Instruction& instruction : block.instructions) {
        if (!has_displaced_address(instruction) || instruction.sources.empty() ||
            !instruction.sources[0].is_register() || instruction.offset > kNearOffset ||
            instruction.offset < -kNearOffset) {
          continue;
        }
        ++addresses_[definitions_.values().of(instruction.sources[0])];
      }
    }
  }

  bool run() {
    for (const std::uint32_t block : dominators_.preorder()) {
      block_ = block;
      for (index_ = 0; index_ < function_.blocks[block].instructions.size(); ++index_) {
        Instruction& instruction = function_.blocks[block].instructions[index_];
        if (has_displaced_address(instruction)) displace(instruction);
        if (instruction.operation == Operation::mad_wide) displace_addend(instruction);
        if (instruction.operation == Operation::add) {
          add_to_sum(instruction);
          multiply_and_add(instruction, block);
        }
        if (instruction.operation == Operation::shl) widen_shift(instruction);
        for_each_written(instruction, [&](const Operand& operand) {
          last_written_[definitions_.values().of(operand)] = {block_, index_};
        });
      }
    }
    return changed_;
  }

 private:
  /// The instruction that makes `operand`, where it makes nothing else and always runs.
  const Instruction* maker(const Operand& operand) const {
    const Instruction* writer =
        operand.is_register() ? definitions_.writer(function_, operand) : nullptr;
    return writer != nullptr && is_plain(*writer) && writer->destinations[0].width == operand.width
               ? writer
               : nullptr;
  }

  std::uint32_t readers(const Operand& operand) const {
    return definitions_.readers(definitions_.values().of(operand));
  }

  /// A source of `maker`, which stands before the instruction at hand, still means the same here.
  bool is_lasting(const Operand& operand, const Instruction& maker) const {
    if (!operand.is_register()) return true;
    const std::uint32_t value = definitions_.values().of(operand);
    if (definitions_.is_single(value)) return true;
    const Definitions::Place made =
        definitions_.place(definitions_.values().of(maker.destinations[0]));
    if (made.block != block_ || made.index >= index_) return false;
    const Definitions::Place written = last_written_[value];
    return written.block != block_ || written.index < made.index;
  }

  /// A register plus an immediate of the register's own width; the immediate as signed.
  const Instruction* displaced_sum(const Operand& operand, std::int64_t& displacement) const {
    const Instruction* sum = maker(operand);
    if (sum == nullptr || sum->operation != Operation::add || !is_integer_word(sum->type) ||
        !sum->sources[0].is_register() || sum->sources[1].kind != Kind::immediate ||
        !is_lasting(sum->sources[0], *sum)) {
      return nullptr;
    }
    const std::uint64_t bits = sum->sources[1].bits;
    displacement = size_of(sum->type) == 4
                       ? static_cast<std::int32_t>(static_cast<std::uint32_t>(bits))
                       : static_cast<std::int64_t>(bits);
    return sum;
  }

  /// Of a * b + (x + d), which is only an address: a * b + x, and its readers add d.
  void displace_addend(Instruction& instruction) {
    if (!is_plain(instruction) || !instruction.sources[2].is_register()) return;
    const std::uint32_t value = definitions_.values().of(instruction.destinations[0]);
    if (!definitions_.is_single(value) || definitions_.readers(value) != addresses_[value]) return;
    std::int64_t displacement = 0;
    const Instruction* sum = displaced_sum(instruction.sources[2], displacement);
    if (sum == nullptr || displacement > kNearOffset || displacement < -kNearOffset ||
        displacement_[value] != 0) {
      return;
    }
    displacement_[value] = displacement;
    instruction.sources[2] = sum->sources[0];
    changed_ = true;
  }

  void displace(Instruction& instruction) {
    std::int64_t displacement = 0;
    if (instruction.sources.empty() || !instruction.sources[0].is_register()) return;
    instruction.offset += displacement_[definitions_.values().of(instruction.sources[0])];
    while (const Instruction* sum = displaced_sum(instruction.sources[0], displacement)) {
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

  /// (x + a) + b is x + (a + b) where the inner sum serves nothing else.
  void add_to_sum(Instruction& instruction) {
    if (!is_plain(instruction) || !is_integer_word(instruction.type) ||
        instruction.sources[1].kind != Kind::immediate || !instruction.sources[0].is_register()) {
      return;
    }
    const Instruction* inner = maker(instruction.sources[0]);
    if (inner == nullptr || inner->operation != Operation::add || !is_integer_word(inner->type) ||
        size_of(inner->type) != size_of(instruction.type) ||
        inner->sources[1].kind != Kind::immediate || readers(instruction.sources[0]) != 1 ||
        !is_lasting(inner->sources[0], *inner)) {
      return;
    }
    instruction.sources[1].bits =
        truncated_to(instruction.type, instruction.sources[1].bits + inner->sources[1].bits);
    instruction.sources[0] = inner->sources[0];
    changed_ = true;
  }

  void multiply_and_add(Instruction& sum, BlockIndex block) {
    if (!is_plain(sum)) return;
    for (std::size_t i = 0; i < 2; ++i) {
      const Operand product_operand = sum.sources[i];
      const Instruction* product = maker(product_operand);
      if (product == nullptr || !all_lasting(*product)) continue;
      Instruction fused = sum;
      if (is_integer_or_bits(sum.type)) {
        if (!fuse_integers(fused, *product, product_operand, block)) continue;
      } else {
        if (!can_contract(sum, *product, product_operand, block)) continue;
        fused.operation = Operation::fma;
        fused.contractible = false;
      }
      const Operand addend = sum.sources[1 - i];
      fused.sources.clear();
      fused.sources.push_back(product->sources[0]);
      if (product->operation == Operation::convert) {
        fused.sources.push_back(Operand::immediate(1));
      } else if (product->operation == Operation::shl) {
        fused.sources.push_back(
            Operand::immediate(std::uint64_t{1} << (product->sources[1].bits & 31)));
      } else {
        fused.sources.push_back(product->sources[1]);
      }
      fused.sources.push_back(addend);
      sum = fused;
      changed_ = true;
      return;
    }
  }

  bool all_lasting(const Instruction& instruction) const {
    for (const Operand& source : instruction.sources) {
      if (!is_lasting(source, instruction)) return false;
    }
    return true;
  }

  bool same_block(const Operand& operand, BlockIndex block) const {
    return definitions_.place(definitions_.values().of(operand)).block == block;
  }

  /// Whether every reader of a product is a sum that takes it up; then the product itself goes.
  bool fuse_integers(Instruction& fused, const Instruction& product, const Operand& operand,
                     BlockIndex block) const {
    if (product.operation == Operation::mul_wide && size_of(fused.type) == 8 &&
        size_of(product.type) == 4) {
      // The narrow factors live on in place of the wide product.
      if (product.sources[1].kind != Kind::immediate && readers(operand) != 1) return false;
      fused.operation = Operation::mad_wide;
      fused.type = product.type;
      return true;
    }
    if (product.operation == Operation::convert) {
      // An extended value is a wide product with one.
      if (size_of(fused.type) != 8 || size_of(product.type) != 8 || product.relu ||
          (product.source_type != ValueType::s32 && product.source_type != ValueType::u32) ||
          !is_integer_or_bits(product.type) || product.sources[0].width != 1) {
        return false;
      }
      fused.operation = Operation::mad_wide;
      fused.type = product.source_type;
      return true;
    }
    if (size_of(fused.type) != 4 || size_of(product.type) != 4 || readers(operand) != 1 ||
        !same_block(operand, block)) {
      return false;
    }
    const bool is_product = product.operation == Operation::mul_lo;
    const bool is_shift = product.operation == Operation::shl &&
                          product.sources[1].kind == Kind::immediate &&
                          (product.sources[1].bits & 0xffff'ffff) < 32;
    if (!is_integer_or_bits(product.type) || !(is_product || is_shift)) return false;
    fused.operation = Operation::mad_lo;
    return true;
  }

  bool can_contract(const Instruction& sum, const Instruction& product, const Operand& operand,
                    BlockIndex block) const {
    return product.operation == Operation::mul_lo && product.type == sum.type && sum.contractible &&
           product.contractible && !product.relu && !sum.relu && product.rounding == sum.rounding &&
           product.flush_subnormals == sum.flush_subnormals && readers(operand) == 1 &&
           same_block(operand, block);
  }

  /// A 32-bit value extended and then shifted left is a wide product.
  void widen_shift(Instruction& instruction) {
    if (!is_plain(instruction) || size_of(instruction.type) != 8 ||
        instruction.sources[1].kind != Kind::immediate) {
      return;
    }
    const std::uint64_t amount = instruction.sources[1].bits & 0xffff'ffff;
    const Instruction* extension = maker(instruction.sources[0]);
    if (amount > 30 || extension == nullptr || extension->operation != Operation::convert ||
        size_of(extension->type) != 8 || extension->relu ||
        (extension->source_type != ValueType::s32 && extension->source_type != ValueType::u32 &&
         extension->source_type != ValueType::b32) ||
        !is_integer_or_bits(extension->type) || extension->sources[0].width != 1 ||
        !is_lasting(extension->sources[0], *extension)) {
      return;
    }
    instruction.operation = Operation::mul_wide;
    instruction.type = extension->source_type == ValueType::s32 ? ValueType::s32 : ValueType::u32;
    instruction.sources[0] = extension->sources[0];
    instruction.sources[1] = Operand::immediate(std::uint64_t{1} << amount);
    changed_ = true;
  }

  Function& function_;
  DominatorTree dominators_;
  Definitions definitions_;
  std::vector<Definitions::Place> last_written_;  ///< By value, as far as this walk has come.
  std::vector<std::int64_t> displacement_;        ///< By value: what its readers add to it.
  std::vector<std::uint32_t> addresses_;          ///< By value: how many readers can add something.
  BlockIndex block_ = 0;
  std::uint32_t index_ = 0;
  bool changed_ = false;
};

}  // namespace

bool combine_operations(Function& function) {
  return !function.blocks.empty() && Combination(function).run();
}

}  // namespace heddle::code
