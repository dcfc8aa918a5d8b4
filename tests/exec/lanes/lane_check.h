#pragma once

// Compares an instruction with a model of one lane, under several masks of active lanes, with
// corner-case and random operands, in registers and as immediates, and with the destination in a
// source register. Inactive lanes must keep their values. All this is done on every vector unit:
// the instructions' handlers as compiled for one of the host's vector extensions, such as AVX2.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "base/value_type.h"
#include "exec/lanes/lane_harness.h"

namespace heddle::exec::test {

__extension__ using Int = __int128;

/// The low `bits` bits of a word as an integer.
inline Int number(std::uint64_t word, int bits, bool is_signed) {
  Int value = 0;
  for (int i = 0; i < bits; ++i) {
    const Int weight = Int{1} << i;
    if ((word >> i & 1) != 0) value += is_signed && i == bits - 1 ? -weight : weight;
  }
  return value;
}
inline Int number(std::uint64_t word, ValueType type) {
  return number(word, size_of(type) * 8, is_signed_integer(type));
}
/// Clamps to the range of `bits` bits.
inline Int clamp_to(Int value, int bits, bool is_signed) {
  const Int high = (Int{1} << (is_signed ? bits - 1 : bits)) - 1;
  const Int low = is_signed ? -high - 1 : 0;
  return std::min(std::max(value, low), high);
}

/// The form to be tested: an instruction without operands, and the sizes of its operands.
struct Form {
  code::Instruction instruction;
  std::vector<int> sources;   ///< The number of bits of each source; 1: a predicate.
  int result_bits = 32;       ///< The number of bits of the result; 0: no register is written.
  int predicate_results = 0;  ///< The number of predicates that are written, 0 to 2.
};
/// The expected results of a lane. Only the low result_bits bits of `value` matter.
struct Expected {
  Int value = 0;
  bool first_predicate = false, second_predicate = false;
};
using Sources = std::vector<std::uint64_t>;
using Model = std::function<Expected(const Sources&)>;

/// A random value of `bits` bits; often a corner case.
inline std::uint64_t random_operand(std::mt19937_64& random, int bits) {
  const std::uint64_t all = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  const std::uint64_t any = random();
  if (bits == 1) return any & 1;
  const std::uint64_t top = std::uint64_t{1} << (bits - 1);
  switch (random() % 8) {
    case 0:
      return any % 4;
    case 1:
      return (0 - any % 4) & all;
    case 2:
      return (top - 2 + any % 4) & all;
    case 3:
      return any % 70;
    case 4:
      return std::uint64_t{1} << any % static_cast<unsigned>(bits);
    case 5:
      return (any & all) >> (random() % static_cast<unsigned>(bits));
    default:
      return any & all;
  }
}

/// The registers that the check uses for operands and results.
struct Places {
  static constexpr std::uint32_t kDestination = 40, kFirstSource = 2;
  static constexpr std::uint32_t kFirstPredicate = 3, kSecondPredicate = 4;
  static constexpr std::uint32_t kFirstPredicateSource = 5;
  static std::uint32_t source(std::size_t i) {
    return kFirstSource + 4 * static_cast<std::uint32_t>(i);
  }
};

/// A way to provide the operands.
struct Variant {
  int immediate = -1;     ///< The source that is an immediate; -1: none.
  bool in_place = false;  ///< Whether the destination is the first register source.
  bool negated = false;   ///< Whether the predicate sources are negated.
};

/// Executes the form once, with random operands, and compares all registers with the model. Returns
/// false after a failure.
inline bool check_once(const Form& form, const Model& model, const Variant& variant,
                       const VectorUnit& unit, std::uint32_t mask, std::mt19937_64& random) {
  LaneHarness harness;
  code::Instruction instruction = form.instruction;
  std::vector<Sources> lanes(32, Sources(form.sources.size()));
  std::uint32_t destination = Places::kDestination;
  std::uint32_t predicate_source = Places::kFirstPredicateSource;

  for (std::size_t i = 0; i < form.sources.size(); ++i) {
    const int bits = form.sources[i];
    const std::uint64_t shared = random_operand(random, bits);
    const bool is_immediate = variant.immediate == static_cast<int>(i);
    for (int lane = 0; lane < 32; ++lane) {
      lanes[lane][i] = is_immediate ? shared : random_operand(random, bits);
      // Operands are sometimes equal.
      if (!is_immediate && i > 0 && bits == form.sources[0] && random() % 8 == 0) {
        lanes[lane][i] = lanes[lane][0];
      }
    }
    const int width = bits == 64 ? 2 : 1;
    if (bits == 1) {
      std::uint32_t predicate = 0;
      for (int lane = 0; lane < 32; ++lane) {
        const bool stored = (lanes[lane][i] != 0) != variant.negated;
        predicate |= std::uint32_t{stored} << lane;
      }
      harness.set_predicate(predicate_source, predicate);
      instruction.sources.push_back(code::Operand::predicate(predicate_source, variant.negated));
      ++predicate_source;
    } else if (is_immediate) {
      instruction.sources.push_back(code::Operand::immediate(shared, width));
    } else {
      const std::uint32_t place = Places::source(i);
      for (int lane = 0; lane < 32; ++lane) {
        const std::uint64_t value = lanes[lane][i];
        switch (bits) {
          case 8:
            harness.set(place, lane, static_cast<std::uint8_t>(value));
            break;
          case 16:
            harness.set(place, lane, static_cast<std::uint16_t>(value));
            break;
          case 32:
            harness.set(place, lane, static_cast<std::uint32_t>(value));
            break;
          default:
            harness.set(place, lane, value);
            break;
        }
      }
      instruction.sources.push_back(code::Operand::reg(place, width));
      if (variant.in_place && destination == Places::kDestination) destination = place;
    }
  }
  if (form.result_bits > 0) {
    instruction.destinations.push_back(
        code::Operand::reg(destination, form.result_bits > 32 ? 2 : 1));
  }
  for (int i = 0; i < form.predicate_results; ++i) {
    instruction.destinations.push_back(
        code::Operand::predicate(i == 0 ? Places::kFirstPredicate : Places::kSecondPredicate));
  }
  const auto old_first = static_cast<std::uint32_t>(random());
  const auto old_second = static_cast<std::uint32_t>(random());
  harness.set_predicate(Places::kFirstPredicate, old_first);
  harness.set_predicate(Places::kSecondPredicate, old_second);
  const LaneHarness before = harness;

  harness.context.active = mask;
  if (!harness.execute(instruction, unit)) {
    ADD_FAILURE() << unit.name << " has no handler for " << name_of(instruction.operation) << ' '
                  << name_of(instruction.type);
    return false;
  }
  std::ostringstream wrong;
  for (int lane = 0; lane < 32; ++lane) {
    const bool active = (mask >> lane & 1) != 0;
    const Expected expected = active ? model(lanes[lane]) : Expected{};
    for (std::uint32_t reg = 0; reg < 64; ++reg) {
      const bool is_result =
          form.result_bits > 0 && reg - destination < (form.result_bits > 32 ? 2 : 1);
      const std::uint32_t got = harness.word(reg, lane);
      if (!active || !is_result) {
        if (got != before.word(reg, lane)) wrong << " changed register " << reg;
      } else {
        const auto want = static_cast<std::uint64_t>(expected.value);
        const int low_bits = form.result_bits > 32 ? 32 : form.result_bits;
        const std::uint64_t compared = (std::uint64_t{1} << low_bits) - 1;
        const auto word = static_cast<std::uint32_t>(reg == destination ? want : want >> 32);
        if (((got ^ word) & compared) != 0) {
          wrong << std::hex << " register " << got << ", expected " << word << std::dec;
        }
      }
    }
    const auto check_predicate = [&](int index, std::uint32_t place, std::uint32_t old, bool want) {
      const bool expected_bit =
          active && form.predicate_results > index ? want : (old >> lane & 1) != 0;
      if (((harness.predicate(place) >> lane & 1) != 0) != expected_bit)
        wrong << " predicate " << index;
    };
    check_predicate(0, Places::kFirstPredicate, old_first, expected.first_predicate);
    check_predicate(1, Places::kSecondPredicate, old_second, expected.second_predicate);
    if (!wrong.str().empty()) {
      std::ostringstream operands;
      for (const std::uint64_t value : lanes[lane]) operands << " 0x" << std::hex << value;
      ADD_FAILURE() << unit.name << ' ' << name_of(instruction.operation) << ' '
                    << name_of(instruction.type) << ' ' << name_of(instruction.source_type)
                    << operands.str() << (active ? "" : " (inactive)") << " lane " << lane << ':'
                    << wrong.str();
      return false;
    }
  }
  return true;
}

/// Checks every variant of operands `rounds` times with all lanes active, and the first variant
/// once under each mask. With one round, for families of very many forms, only the first few masks
/// are used.
inline void check(const Form& form, const Model& model, int rounds = 4) {
  std::mt19937_64 random(11);
  std::vector<Variant> variants(1);
  variants.push_back({.in_place = true});
  for (std::size_t i = 0; i < form.sources.size(); ++i) {
    if (form.sources[i] == 1) {
      variants.push_back({.negated = true});
    } else {
      variants.push_back({.immediate = static_cast<int>(i)});
    }
  }
  for (const VectorUnit& unit : vector_units()) {
    for (const Variant& variant : variants) {
      const bool wide_in_place =
          variant.in_place && (form.sources.empty() || form.result_bits > form.sources[0]);
      if (wide_in_place) continue;
      for (int round = 0; round < rounds; ++round) {
        if (!check_once(form, model, variant, unit, ~std::uint32_t{0}, random)) return;
      }
    }
    std::vector<std::uint32_t> masks = interesting_masks();
    if (rounds == 1) masks.resize(3);
    for (const std::uint32_t mask : masks) {
      if (!check_once(form, model, variants[0], unit, mask, random)) return;
    }
  }
}

/// Whether no vector unit has a handler for the form.
inline bool is_refused(const Form& form) {
  code::Instruction instruction = form.instruction;
  std::uint32_t predicate = Places::kFirstPredicateSource;
  for (std::size_t i = 0; i < form.sources.size(); ++i) {
    const int bits = form.sources[i];
    instruction.sources.push_back(bits == 1
                                      ? code::Operand::predicate(predicate++)
                                      : code::Operand::reg(Places::source(i), bits == 64 ? 2 : 1));
  }
  instruction.destinations.push_back(
      form.result_bits == 0
          ? code::Operand::predicate(Places::kFirstPredicate)
          : code::Operand::reg(Places::kDestination, form.result_bits > 32 ? 2 : 1));
  for (const VectorUnit& unit : vector_units()) {
    if (unit.select_handler(instruction) != nullptr) return false;
  }
  return true;
}

inline code::Instruction instruction_of(code::Operation operation, ValueType type,
                                        ValueType source_type = ValueType::none) {
  code::Instruction instruction;
  instruction.operation = operation;
  instruction.type = type;
  instruction.source_type = source_type;
  return instruction;
}

inline const std::vector<ValueType> kIntegers = {ValueType::u16, ValueType::s16, ValueType::u32,
                                                 ValueType::s32, ValueType::u64, ValueType::s64};
inline int bits_of(ValueType type) { return size_of(type) * 8; }

}  // namespace heddle::exec::test
