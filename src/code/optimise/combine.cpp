#include "code/optimise/definition_walk.h"
#include "code/optimise/fold.h"
#include "code/optimise/passes.h"

namespace heddle::code {
namespace {

using Kind = Operand::Kind;

class Combination {
 public:
  Combination(Function& function, MultiplyAdd multiply_add)
      : function_(function), multiply_add_(multiply_add), walk_(function) {}

  bool run() {
    for (const std::uint32_t block : walk_.dominators().preorder()) {
      for (std::uint32_t i = 0; i < function_.blocks[block].instructions.size(); ++i) {
        walk_.move_to(block, i);
        Instruction& instruction = function_.blocks[block].instructions[i];
        if (instruction.operation == Operation::add) {
          add_to_sum(instruction);
          if (multiply_add_ == MultiplyAdd::fused) fuse_with_product(instruction, block);
        }
        if (instruction.operation == Operation::shl) widen_shift(instruction);
        walk_.record_writes(instruction);
      }
    }
    return changed_;
  }

 private:
  /// Turns (x + a) + b into x + (a + b), if a and b are immediates and nothing else reads x + a.
  void add_to_sum(Instruction& instruction) {
    if (!is_plain(instruction) || !is_32_or_64_bit_integer(instruction.type) ||
        instruction.sources[1].kind != Kind::immediate || !instruction.sources[0].is_register()) {
      return;
    }
    const Instruction* inner = walk_.definition_of(instruction.sources[0]);
    if (inner == nullptr || inner->operation != Operation::add ||
        !is_32_or_64_bit_integer(inner->type) ||
        size_of(inner->type) != size_of(instruction.type) ||
        inner->sources[1].kind != Kind::immediate ||
        walk_.read_count(instruction.sources[0]) != 1 ||
        !walk_.is_unchanged(inner->sources[0], *inner)) {
      return;
    }
    instruction.sources[1].bits =
        truncated_to(instruction.type, instruction.sources[1].bits + inner->sources[1].bits);
    instruction.sources[0] = inner->sources[0];
    changed_ = true;
  }

  /// Turns a product, and a sum that reads it, into a multiply-add.
  void fuse_with_product(Instruction& sum, BlockIndex block) {
    if (!is_plain(sum)) return;
    for (std::size_t i = 0; i < 2; ++i) {
      const Operand product_operand = sum.sources[i];
      const Instruction* product = walk_.definition_of(product_operand);
      if (product == nullptr || !walk_.are_sources_unchanged(*product)) continue;
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

  bool is_defined_in(const Operand& operand, BlockIndex block) const {
    const Definitions& definitions = walk_.definitions();
    return definitions.place(definitions.values().number_of(operand)).block == block;
  }

  /// Whether `fused`, a copy of the sum, can include the product `operand`. Usually the sum must be
  /// the product's only reader, so that the product can be removed. Sets the operation and type of
  /// `fused`.
  bool fuse_integers(Instruction& fused, const Instruction& product, const Operand& operand,
                     BlockIndex block) const {
    if (product.operation == Operation::mul_wide && size_of(fused.type) == 8 &&
        size_of(product.type) == 4) {
      // Fusing extends the live ranges of both factors. With another reader, the product would stay
      // live as well, and more registers would be needed.
      if (product.sources[1].kind != Kind::immediate && walk_.read_count(operand) != 1)
        return false;
      fused.operation = Operation::mad_wide;
      fused.type = product.type;
      return true;
    }
    if (product.operation == Operation::convert) {
      // An extended value is a wide product with 1.
      if (size_of(fused.type) != 8 || size_of(product.type) != 8 || product.relu ||
          (product.source_type != ValueType::s32 && product.source_type != ValueType::u32) ||
          !is_integer_or_bits(product.type) || product.sources[0].width != 1) {
        return false;
      }
      fused.operation = Operation::mad_wide;
      fused.type = product.source_type;
      return true;
    }
    if (size_of(fused.type) != 4 || size_of(product.type) != 4 || walk_.read_count(operand) != 1 ||
        !is_defined_in(operand, block)) {
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

  /// Whether a floating-point product and sum may become an fma.
  bool can_contract(const Instruction& sum, const Instruction& product, const Operand& operand,
                    BlockIndex block) const {
    return product.operation == Operation::mul_lo && product.type == sum.type && sum.contractible &&
           product.contractible && !product.relu && !sum.relu && product.rounding == sum.rounding &&
           product.flush_subnormals == sum.flush_subnormals && walk_.read_count(operand) == 1 &&
           is_defined_in(operand, block);
  }

  /// Turns a 32-bit value that is extended and then shifted left into a wide product.
  void widen_shift(Instruction& instruction) {
    if (!is_plain(instruction) || size_of(instruction.type) != 8 ||
        instruction.sources[1].kind != Kind::immediate) {
      return;
    }
    const std::uint64_t amount = instruction.sources[1].bits & 0xffff'ffff;
    const Instruction* extension = walk_.definition_of(instruction.sources[0]);
    if (amount > 30 || extension == nullptr || extension->operation != Operation::convert ||
        size_of(extension->type) != 8 || extension->relu ||
        (extension->source_type != ValueType::s32 && extension->source_type != ValueType::u32 &&
         extension->source_type != ValueType::b32) ||
        !is_integer_or_bits(extension->type) || extension->sources[0].width != 1 ||
        !walk_.is_unchanged(extension->sources[0], *extension)) {
      return;
    }
    instruction.operation = Operation::mul_wide;
    instruction.type = extension->source_type == ValueType::s32 ? ValueType::s32 : ValueType::u32;
    instruction.sources[0] = extension->sources[0];
    instruction.sources[1] = Operand::immediate(std::uint64_t{1} << amount);
    changed_ = true;
  }

  Function& function_;
  MultiplyAdd multiply_add_;
  DefinitionWalk walk_;
  bool changed_ = false;
};

}  // namespace

bool combine_operations(Function& function, MultiplyAdd multiply_add) {
  return !function.blocks.empty() && Combination(function, multiply_add).run();
}

}  // namespace heddle::code
