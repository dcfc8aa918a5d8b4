#pragma once

// Random functions in machine code, for tests that compare code before and after a compiler pass
// (one transformation of the code).

#include <random>
#include <utility>
#include <vector>

#include "code/function.h"

namespace heddle::code::testing {

/// The size of a random function.
struct RandomShape {
  std::uint32_t blocks = 8;
  /// The maximum number of random instructions in a block. Block 0 also has instructions that
  /// initialise the registers, and many blocks have one that ends the block.
  std::uint32_t instructions = 10;
  std::uint32_t narrow = 8;  ///< Number of 32-bit registers.
  std::uint32_t wide = 4;    ///< Number of 64-bit registers.
  std::uint32_t predicates = 4;
  bool calls = false;  ///< Whether there may be calls.
};

/// Makes a function of random instructions and random control flow, with register uses and loops
/// that no compiler would emit. The function writes a few registers many times, partly with guards.
class RandomFunction {
 public:
  RandomFunction(std::uint32_t seed, const RandomShape& shape) : random_(seed), shape_(shape) {}

  Function make() {
    function_.name = "random";
    function_.is_kernel = true;
    for (std::uint32_t i = 0; i < shape_.narrow; ++i) narrow_.push_back(function_.new_register(1));
    for (std::uint32_t i = 0; i < shape_.wide; ++i) wide_.push_back(function_.new_register(2));
    function_.predicates = shape_.predicates;
    function_.blocks.resize(shape_.blocks);
    initialise();
    for (BlockIndex block = 0; block < shape_.blocks; ++block) {
      auto& instructions = function_.blocks[block].instructions;
      for (std::uint32_t i = below(shape_.instructions + 1); i > 0; --i) {
        Instruction instruction = random_instruction();
        if (below(5) == 0) guard(instruction);
        instructions.push_back(instruction);
      }
      terminate(block);
    }
    return std::move(function_);
  }

 private:
  /// A random number less than `bound`.
  std::uint32_t below(std::uint32_t bound) {
    return std::uniform_int_distribution<std::uint32_t>(0, bound - 1)(random_);
  }
  Operand narrow() { return Operand::reg(narrow_[below(shape_.narrow)], 1); }
  Operand wide() { return Operand::reg(wide_[below(shape_.wide)], 2); }
  Operand predicate() { return Operand::predicate(below(shape_.predicates)); }
  Operand predicate_source() { return Operand::predicate(below(shape_.predicates), below(2) == 0); }
  /// A random constant, in half of the cases one at which arithmetic often goes wrong.
  std::uint64_t constant_bits() {
    static constexpr std::uint64_t kCorners[] = {
        0, 1, 2, 4, 31, 32, 0x7fff'ffff, 0x8000'0000, 0xffff'ffff, ~std::uint64_t{0}};
    return below(2) == 0 ? kCorners[below(10)] : random_();
  }
  // The sources at constant addresses lie among the kernel's parameters, which begin at 0x160.
  Operand narrow_source() {
    const std::uint32_t choice = below(8);
    if (choice == 0) return Operand::immediate(constant_bits() & 0xffff'ffff);
    if (choice == 1) return Operand::constant(0x160 + 4 * below(8));
    return narrow();
  }
  Operand wide_source() {
    const std::uint32_t choice = below(8);
    if (choice == 0) return Operand::immediate(constant_bits(), 2);
    if (choice == 1) return Operand::constant(0x160 + 8 * below(4), 2);
    return wide();
  }
  void guard(Instruction& instruction) {
    instruction.guard = {below(shape_.predicates), below(2) == 0};
  }

  static Instruction make(Operation operation, ValueType type,
                          std::initializer_list<Operand> destinations,
                          std::initializer_list<Operand> sources) {
    Instruction instruction;
    instruction.operation = operation;
    instruction.type = type;
    for (const Operand& operand : destinations) instruction.destinations.push_back(operand);
    for (const Operand& operand : sources) instruction.sources.push_back(operand);
    return instruction;
  }

  /// Writes all registers and predicates at the function's beginning.
  void initialise() {
    auto& entry = function_.blocks[0].instructions;
    for (const std::uint32_t index : narrow_) {
      entry.push_back(make(Operation::move, ValueType::b32, {Operand::reg(index)},
                           {below(2) == 0 ? Operand::immediate(constant_bits() & 0xffff'ffff)
                                          : Operand::constant(0x160 + 4 * below(8))}));
    }
    for (const std::uint32_t index : wide_) {
      entry.push_back(make(Operation::move, ValueType::b64, {Operand::reg(index, 2)},
                           {Operand::immediate(constant_bits(), 2)}));
    }
    for (std::uint32_t index = 0; index < shape_.predicates; ++index) {
      entry.push_back(make(Operation::predicate_move, ValueType::pred, {Operand::predicate(index)},
                           {Operand::immediate(below(2))}));
    }
  }

  /// An instruction without a guard that does not leave the block.
  Instruction random_instruction() {
    const ValueType narrow_type = below(2) == 0 ? ValueType::s32 : ValueType::u32;
    const ValueType wide_type = below(2) == 0 ? ValueType::s64 : ValueType::u64;
    static constexpr Operation kBinary[] = {Operation::add,  Operation::sub, Operation::mul_lo,
                                            Operation::and_, Operation::or_, Operation::xor_};
    switch (below(shape_.calls ? 26 : 25)) {
      case 0:
      case 1:
        return make(Operation::move, ValueType::b32, {narrow()}, {narrow_source()});
      case 2:
        return make(Operation::move, ValueType::b64, {wide()}, {wide_source()});
      case 3:
      case 4:
      case 5:
        return make(kBinary[below(6)], narrow_type, {narrow()}, {narrow_source(), narrow_source()});
      case 6:
      case 7:
        return make(kBinary[below(6)], wide_type, {wide()}, {wide_source(), wide_source()});
      case 8:
        return make(Operation::shl, ValueType::b32, {narrow()},
                    {narrow_source(), Operand::immediate(below(34))});
      case 9:
        return make(Operation::shl, ValueType::b64, {wide()},
                    {wide_source(), Operand::immediate(below(66))});
      case 10:
        return make(Operation::shr, wide_type, {wide()}, {wide_source(), narrow_source()});
      case 11:
        return make(Operation::mul_wide, narrow_type, {wide()}, {narrow_source(), narrow_source()});
      case 12:
        return make(Operation::mad_wide, narrow_type, {wide()},
                    {narrow_source(), narrow_source(), wide_source()});
      case 13: {
        Instruction convert = make(Operation::convert, wide_type, {wide()}, {narrow_source()});
        convert.source_type = narrow_type;
        return convert;
      }
      case 14: {
        Instruction convert = make(Operation::convert, narrow_type, {narrow()}, {wide_source()});
        convert.source_type = wide_type;
        return convert;
      }
      case 15:
        return make(Operation::pack, ValueType::b64, {wide()}, {narrow_source(), narrow_source()});
      case 16: {
        const Operand low = below(4) == 0 ? Operand::none() : narrow();
        Operand high = below(4) == 0 ? Operand::none() : narrow();
        if (high.present() && low.present() && high.index == low.index) high = Operand::none();
        return make(Operation::unpack, ValueType::b64, {low, high}, {wide_source()});
      }
      case 17:
      case 18: {
        Instruction compare = below(2) == 0 ? make(Operation::setp, narrow_type, {predicate()},
                                                   {narrow_source(), narrow_source()})
                                            : make(Operation::setp, wide_type, {predicate()},
                                                   {wide_source(), wide_source()});
        static constexpr Comparison kComparisons[] = {Comparison::equal, Comparison::not_equal,
                                                      Comparison::less, Comparison::greater_equal};
        compare.comparison = kComparisons[below(4)];
        return compare;
      }
      case 19:
        return make(Operation::select, ValueType::b32, {narrow()},
                    {narrow_source(), narrow_source(), predicate_source()});
      case 20:
        return below(2) == 0
                   ? make(Operation::predicate_not, ValueType::pred, {predicate()},
                          {Operand::predicate(below(shape_.predicates))})
                   : make(below(2) == 0 ? Operation::predicate_and : Operation::predicate_move,
                          ValueType::pred, {predicate()}, {predicate_source(), predicate_source()});
      case 21: {
        Instruction load = make(Operation::load, ValueType::u32, {narrow()}, {wide()});
        load.space = Space::global;
        load.offset = 4 * below(4);
        if (below(3) == 0) {
          const Operand second = narrow();
          if (second.index != load.destinations[0].index) load.destinations.push_back(second);
        }
        load.vector_count = static_cast<std::uint8_t>(load.destinations.size());
        return load;
      }
      case 22:
      case 23: {
        Instruction store = make(Operation::store, ValueType::u32, {}, {wide(), narrow()});
        store.space = Space::global;
        store.offset = 4 * below(4);
        return store;
      }
      case 24: {
        const bool adds = below(2) == 0;
        Instruction carry = make(adds ? Operation::add : Operation::sub, ValueType::u32, {narrow()},
                                 {narrow_source(), narrow_source()});
        carry.carry_out = below(3) != 0;
        carry.carry_in = !carry.carry_out || below(2) == 0;
        if (carry.carry_out) carry.destinations.push_back(predicate());
        if (carry.carry_in) carry.sources.push_back(predicate());
        return carry;
      }
      default: {
        Instruction call;
        call.operation = Operation::call;
        call.target = below(3);
        return call;
      }
    }
  }

  /// Ends the block with a branch or an exit, or lets it fall through to the next block.
  void terminate(BlockIndex block) {
    auto& instructions = function_.blocks[block].instructions;
    Instruction last;
    switch (below(8)) {
      case 0:
      case 1:
      case 2:
        last.operation = Operation::branch;
        last.target = below(shape_.blocks);
        guard(last);
        break;
      case 3:
        last.operation = Operation::branch;
        last.target = below(shape_.blocks);
        break;
      case 4:
        last.operation = Operation::branch_indexed;
        last.target = static_cast<std::uint32_t>(function_.branch_tables.size());
        last.sources.push_back(narrow());
        function_.branch_tables.push_back(
            {below(shape_.blocks), below(shape_.blocks), below(shape_.blocks)});
        break;
      case 5:
        last.operation = Operation::exit;
        if (below(2) == 0) guard(last);
        break;
      default:
        return;
    }
    instructions.push_back(last);
  }

  std::mt19937 random_;
  RandomShape shape_;
  Function function_;
  std::vector<std::uint32_t> narrow_, wide_;  ///< Indices of the 32-bit and 64-bit registers.
};

}  // namespace heddle::code::testing
