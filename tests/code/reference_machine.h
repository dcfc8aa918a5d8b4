#pragma once

// A reference interpreter of machine code for one thread, with virtual or physical registers.
// Compiler passes and register allocation must not change what it computes.

#include <cstdint>
#include <string>
#include <vector>

#include "code/effects.h"
#include "code/function.h"

namespace heddle::code::testing {

/// An effect that can be observed outside of the function: a store of 32 bits, or a call.
struct Event {
  std::uint64_t address = 0;  ///< All bits are set for a call.
  std::uint64_t value = 0;    ///< The stored value or the index of the callee.
  friend bool operator==(const Event&, const Event&) = default;
};

/// What one execution of a function did.
struct Run {
  std::vector<Event> events;  ///< Stores and calls, in order.
  bool has_finished = false;  ///< Whether the function ended before the step limit.
};

/// Executes a function once, with memory whose initial contents are always the same.
class ReferenceMachine {
 public:
  /// `allocated`: operands name physical registers of 32 bits, and calls overwrite all of them.
  /// Otherwise they name virtual registers, each with space for 128 bits. `garbage` determines the
  /// initial contents of registers and frame, which a correct function does not use.
  ReferenceMachine(const Function& function, bool allocated, std::uint32_t garbage)
      : function_(function),
        allocated_(allocated),
        words_(allocated ? 512 : function.registers.size() * 4),
        predicates_(allocated ? 16 : function.predicates),
        frame_(function.frame_bytes / 4 + 4),
        memory_(64) {
    scramble(garbage);
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      memory_[i] = static_cast<std::uint32_t>(i * 2654435761U);
    }
    for (std::uint32_t& word : frame_) word = garbage;
  }

  /// Executes the function from its entry, with at most `max_steps` instructions.
  Run run(std::size_t max_steps) {
    Run result;
    std::size_t block = 0;
    std::size_t index = 0;
    for (std::size_t step = 0; step < max_steps; ++step) {
      while (block < function_.blocks.size() &&
             index == function_.blocks[block].instructions.size()) {
        ++block;
        index = 0;
      }
      if (block == function_.blocks.size()) {
        result.has_finished = true;
        return result;
      }
      const Instruction& instruction = function_.blocks[block].instructions[index++];
      if (instruction.guard.present() &&
          predicates_[instruction.guard.predicate] == instruction.guard.negated) {
        continue;
      }
      switch (instruction.operation) {
        case Operation::branch:
          block = instruction.target;
          index = 0;
          break;
        case Operation::branch_indexed: {
          const auto& table = function_.branch_tables[instruction.target];
          block = table[value(instruction.sources[0]) % table.size()];
          index = 0;
          break;
        }
        case Operation::ret:
        case Operation::exit:
        case Operation::trap:
          result.has_finished = true;
          return result;
        case Operation::call:
          result.events.push_back({~std::uint64_t{0}, instruction.target});
          if (allocated_) scramble(static_cast<std::uint32_t>(step) * 77 + 5);
          break;
        default:
          execute(instruction, result);
      }
    }
    return result;
  }

 private:
  void scramble(std::uint32_t garbage) {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      words_[i] = garbage + static_cast<std::uint32_t>(i) * 40503U;
    }
    for (std::size_t i = 0; i < predicates_.size(); ++i)
      predicates_[i] = ((garbage >> i % 8) & 1) != 0;
  }

  /// The index in `words_` of the low 32 bits of a register.
  std::size_t word_of(const Operand& operand) const {
    return allocated_ ? operand.index : std::size_t{operand.index} * 4;
  }

  std::uint64_t value(const Operand& operand) const {
    switch (operand.kind) {
      case Operand::Kind::reg: {
        const std::size_t at = word_of(operand);
        return operand.width == 1 ? words_[at] : words_[at] | std::uint64_t{words_[at + 1]} << 32;
      }
      case Operand::Kind::predicate:
        return (predicates_[operand.index] != operand.negated) ? 1 : 0;
      case Operand::Kind::immediate:
        return operand.width == 1 ? operand.bits & 0xffff'ffff : operand.bits;
      case Operand::Kind::constant: {
        const std::uint64_t low = operand.index * 2246822519U & 0xffff'ffff;
        const std::uint64_t high = (operand.index + 4) * 2246822519U & 0xffff'ffff;
        return operand.width == 1 ? low : low | high << 32;
      }
      default:
        return 0;
    }
  }

  void write(const Operand& operand, std::uint64_t bits) {
    if (operand.is_predicate()) {
      predicates_[operand.index] = (bits & 1) != 0;
    } else if (operand.is_register()) {
      const std::size_t at = word_of(operand);
      words_[at] = static_cast<std::uint32_t>(bits);
      if (operand.width == 2) words_[at + 1] = static_cast<std::uint32_t>(bits >> 32);
    }
  }

  /// The address that a load or store accesses; 32-bit addresses wrap around.
  static std::uint64_t address_of(const Instruction& instruction, std::uint64_t base) {
    const std::uint64_t address = base + static_cast<std::uint64_t>(instruction.offset);
    return instruction.sources[0].width == 1 ? address & 0xffff'ffff : address;
  }

  /// The value of a type in the low bits, zero-extended or sign-extended to 64 bits.
  static std::uint64_t extend(ValueType type, std::uint64_t bits) {
    switch (type) {
      case ValueType::s16:
        return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int16_t>(bits)});
      case ValueType::u16:
      case ValueType::b16:
        return static_cast<std::uint16_t>(bits);
      case ValueType::s32:
        return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(bits)});
      case ValueType::u32:
      case ValueType::b32:
        return static_cast<std::uint32_t>(bits);
      default:
        return bits;
    }
  }

  static bool compare(const Instruction& instruction, std::uint64_t a, std::uint64_t b) {
    const bool is_signed = is_signed_integer(instruction.type);
    const auto sa = static_cast<std::int64_t>(a);
    const auto sb = static_cast<std::int64_t>(b);
    switch (instruction.comparison) {
      case Comparison::equal:
        return a == b;
      case Comparison::not_equal:
        return a != b;
      case Comparison::less:
        return is_signed ? sa < sb : a < b;
      case Comparison::greater:
        return is_signed ? sa > sb : a > b;
      default:
        return is_signed ? sa >= sb : a >= b;
    }
  }

  void execute(const Instruction& instruction, Run& result) {
    // Read all sources first, since destinations may be the same registers.
    std::vector<std::uint64_t> raw;
    std::vector<std::uint64_t> s;
    for (const Operand& source : instruction.sources) {
      raw.push_back(value(source));
      s.push_back(extend(instruction.type, raw.back()));
    }
    const int width = size_of(instruction.type) * 8;
    const auto out = [&](std::uint64_t bits) { write(instruction.destinations[0], bits); };
    switch (instruction.operation) {
      case Operation::move:
      case Operation::predicate_move:
        return out(raw[0]);
      case Operation::read_special:
        return out(static_cast<std::uint64_t>(instruction.special) * 11 + 3);
      case Operation::pack:
        return out((raw[0] & 0xffff'ffff) | raw[1] << 32);
      case Operation::unpack:
        for (std::size_t i = 0; i < instruction.destinations.size(); ++i) {
          write(instruction.destinations[i], raw[0] >> (32 * i) & 0xffff'ffff);
        }
        return;
      case Operation::select:
        return out(raw[2] != 0 ? s[0] : s[1]);
      case Operation::predicate_and:
        return out(raw[0] & raw[1]);
      case Operation::predicate_xor:
        return out(raw[0] ^ raw[1]);
      case Operation::predicate_not:
        return out(raw[0] ^ 1);
      case Operation::predicates_to_register: {
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < raw.size(); ++i) bits |= raw[i] << i;
        return out(bits);
      }
      case Operation::register_to_predicates:
        for (std::size_t i = 0; i < instruction.destinations.size(); ++i) {
          write(instruction.destinations[i], raw[0] >> i & 1);
        }
        return;
      case Operation::add:
      case Operation::sub:
        if (instruction.carry_in || instruction.carry_out) {
          const bool adds = instruction.operation == Operation::add;
          const std::uint64_t in = instruction.carry_in ? raw[2] : 0;
          const std::uint64_t wide = adds ? s[0] + s[1] + in : s[0] - s[1] - in;
          if (instruction.carry_out) write(instruction.destinations[1], wide >> 32 & 1);
          return out(wide & 0xffff'ffff);
        }
        if (instruction.operation == Operation::sub) {
          return out(extend(instruction.type, s[0] - s[1]));
        }
        return out(extend(instruction.type, s[0] + s[1]));
      case Operation::mul_lo:
        return out(extend(instruction.type, s[0] * s[1]));
      case Operation::mad_lo:
        return out(extend(instruction.type, s[0] * s[1] + s[2]));
      case Operation::mul_wide:
        return out(s[0] * s[1]);
      case Operation::mad_wide:
        return out(s[0] * s[1] + raw[2]);
      case Operation::and_:
        return out(s[0] & s[1]);
      case Operation::or_:
        return out(s[0] | s[1]);
      case Operation::xor_:
        return out(s[0] ^ s[1]);
      case Operation::not_:
        return out(extend(instruction.type, ~s[0]));
      case Operation::shl: {
        const std::uint64_t amount = raw[1] & 0xffff'ffff;
        return out(amount >= static_cast<std::uint64_t>(width)
                       ? 0
                       : extend(instruction.type, s[0] << amount));
      }
      case Operation::shr: {
        const std::uint64_t amount = raw[1] & 0xffff'ffff;
        const bool minus = is_signed_integer(instruction.type) && (s[0] >> 63) != 0;
        std::uint64_t bits = s[0];
        for (std::uint64_t i = 0; i < amount && i < 64; ++i) {
          bits = bits >> 1 | (minus ? std::uint64_t{1} << 63 : 0);
        }
        return out(extend(instruction.type, bits));
      }
      case Operation::convert:
        return out(extend(instruction.type, extend(instruction.source_type, raw[0])));
      case Operation::convert_address:
        return out(raw[0]);
      case Operation::setp: {
        const bool holds = compare(instruction, s[0], s[1]);
        return out(instruction.boolean == Boolean::and_ ? (holds && raw[2] != 0 ? 1 : 0)
                                                        : (holds ? 1 : 0));
      }
      case Operation::load: {
        const std::uint64_t address = address_of(instruction, raw[0]);
        for (std::size_t i = 0; i < instruction.destinations.size(); ++i) {
          write(instruction.destinations[i], memory_[(address / 4 + i) % memory_.size()]);
        }
        return;
      }
      case Operation::store: {
        const std::uint64_t address = address_of(instruction, raw[0]);
        for (std::size_t i = 1; i < raw.size(); ++i) {
          memory_[(address / 4 + i - 1) % memory_.size()] = static_cast<std::uint32_t>(raw[i]);
          result.events.push_back({address + 4 * (i - 1), raw[i] & 0xffff'ffff});
        }
        return;
      }
      case Operation::load_local_slot: {
        const auto at = static_cast<std::size_t>(instruction.offset / 4);
        const std::uint64_t high = size_of(instruction.type) == 8 ? frame_.at(at + 1) : 0;
        return out(frame_.at(at) | high << 32);
      }
      case Operation::store_local_slot: {
        const auto at = static_cast<std::size_t>(instruction.offset / 4);
        frame_.at(at) = static_cast<std::uint32_t>(raw[0]);
        if (size_of(instruction.type) == 8) {
          frame_.at(at + 1) = static_cast<std::uint32_t>(raw[0] >> 32);
        }
        return;
      }
      default:
        throw std::string("the reference machine does not know ") +
            std::string(name_of(instruction.operation));
    }
  }

  const Function& function_;
  bool allocated_;
  std::vector<std::uint32_t> words_;  ///< The contents of the registers.
  std::vector<bool> predicates_;
  std::vector<std::uint32_t> frame_;   ///< The function's stack frame, in local memory.
  std::vector<std::uint32_t> memory_;  ///< All other memory. Addresses wrap around at its end.
};

}  // namespace heddle::code::testing
