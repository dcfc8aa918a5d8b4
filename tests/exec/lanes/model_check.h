#pragma once

// Executes an instruction with many sets of operands, and compares the results with a model. This
// is done on every vector unit: the instructions' handlers as compiled for one of the host's vector
// extensions, such as AVX2.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "base/value_type.h"
#include "code/instruction.h"
#include "exec/lanes/exact_number.h"
#include "exec/lanes/lane_harness.h"
#include "exec/vector_unit.h"

namespace heddle::exec::test {

/// The operands of one lane, as bits.
using Operands = std::array<std::uint64_t, 3>;

inline const Format& format_of(ValueType type) {
  switch (type) {
    case ValueType::f64:
      return kF64;
    case ValueType::f16:
    case ValueType::f16x2:
      return kF16;
    case ValueType::bf16:
    case ValueType::bf16x2:
      return kBf16;
    case ValueType::tf32:
      return kTf32;
    case ValueType::e4m3x2:
      return kE4m3;
    case ValueType::e5m2x2:
      return kE5m2;
    default:
      return kF32;
  }
}

/// Corner cases: zeros, limits, halves, infinities and NaNs, of both signs.
inline std::vector<std::uint64_t> corners(const Format& format) {
  const std::uint64_t normal = format.smallest_normal();
  const std::uint64_t one = static_cast<std::uint64_t>(format.bias) << format.fraction_bits;
  std::vector<std::uint64_t> values = {0,
                                       1,
                                       normal >> 1,
                                       normal - 1,
                                       normal,
                                       normal + 1,
                                       one - 1,
                                       one,
                                       one + 1,
                                       one - normal,         // 1/2
                                       one + (normal >> 1),  // 3/2
                                       one + normal,         // 2
                                       format.largest - 1,
                                       format.largest};
  if (format.infinity != 0) {
    values.push_back(format.infinity);
    values.push_back(format.infinity + 1);                         // a signalling NaN
    values.push_back(format.infinity | normal >> 1 | 5 % normal);  // a quiet one with a payload
  }
  values.push_back(format.sign() - 1);
  const std::size_t count = values.size();
  for (std::size_t i = 0; i < count; ++i) values.push_back(values[i] | format.sign());
  return values;
}

/// Random values, often with an exponent near that of 1.0, so that operands have similar
/// magnitudes.
class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : random_(seed) {}

  std::uint64_t bits() { return random_(); }
  /// The bits of a random value of the format.
  std::uint64_t value(const Format& format) {
    const std::uint64_t any = random_() & (format.sign() | (format.sign() - 1));
    const std::uint64_t fraction = any & (format.smallest_normal() - 1);
    const std::uint64_t sign = any & format.sign();
    switch (random_() % 4) {
      case 0:
        return any;
      case 1:
        return sign | fraction;  // subnormal
      default:
        break;
    }
    const int near = format.bias + static_cast<int>(random_() % 13) - 6;
    // Half of the values have few digits, so that sums and products are exact or halfway.
    const std::uint64_t digits =
        random_() % 2 == 0 ? fraction : fraction & ~((format.smallest_normal() >> 3) - 1);
    return sign | static_cast<std::uint64_t>(near > 0 ? near : 1) << format.fraction_bits | digits;
  }

 private:
  std::mt19937_64 random_;
};

/// Sets of `count` operands. Contains all pairs of corner cases (each with a random third operand),
/// or all corner cases if `count` is 1, and then `random` random sets.
inline std::vector<Operands> operand_sets(const Format& format, int count, int random,
                                          std::uint64_t seed = 1) {
  const std::vector<std::uint64_t> values = corners(format);
  RandomValues source(seed);
  std::vector<Operands> sets;
  for (const std::uint64_t a : values) {
    if (count == 1) {
      sets.push_back({a, 0, 0});
      continue;
    }
    for (const std::uint64_t b : values)
      sets.push_back({a, b, values[source.bits() % values.size()]});
  }
  for (int i = 0; i < random; ++i) {
    sets.push_back({source.value(format), source.value(format), source.value(format)});
  }
  return sets;
}

inline code::Instruction make_instruction(code::Operation operation, ValueType type,
                                          std::size_t sources,
                                          ValueType source_type = ValueType::none) {
  code::Instruction instruction;
  instruction.operation = operation;
  instruction.type = type;
  instruction.source_type = source_type;
  instruction.destinations.push_back(code::Operand::reg(0, registers_of(type)));
  const ValueType operand_type = source_type == ValueType::none ? type : source_type;
  for (std::size_t i = 0; i < sources; ++i) {
    instruction.sources.push_back(
        code::Operand::reg(4 + 2 * static_cast<std::uint32_t>(i), registers_of(operand_type)));
  }
  return instruction;
}

inline void set_operand(LaneHarness& harness, std::uint32_t index, int lane, std::uint64_t bits,
                        int size) {
  switch (size) {
    case 8:
      harness.set<std::uint64_t>(index, lane, bits);
      break;
    case 4:
      harness.set(index, lane, static_cast<std::uint32_t>(bits));
      break;
    case 2:
      harness.set(index, lane, static_cast<std::uint16_t>(bits));
      break;
    default:
      harness.set(index, lane, static_cast<std::uint8_t>(bits));
      break;
  }
}

/// The results of one vector unit: the value of the destination register or register pair for each
/// set of operands.
inline std::vector<std::uint64_t> results_of(const code::Instruction& instruction,
                                             const std::vector<Operands>& sets,
                                             const VectorUnit& unit) {
  LaneHarness harness;
  const ValueType source =
      instruction.source_type == ValueType::none ? instruction.type : instruction.source_type;
  const std::vector<std::uint32_t> masks = interesting_masks();
  std::vector<std::uint64_t> results;
  for (std::size_t first = 0, call = 0; first < sets.size(); first += 32, ++call) {
    for (const bool all_lanes : {false, true}) {
      // First with a partial mask, then with all lanes.
      const std::uint32_t mask = !all_lanes ? masks[call % masks.size()] : ~0U;
      if (!all_lanes && call >= 2 * masks.size()) continue;
      harness.reset();
      harness.context.active = mask;
      for (std::size_t i = 0; i < instruction.sources.size(); ++i) {
        for (int lane = 0; lane < 32; ++lane) {
          const std::size_t at = first + static_cast<std::size_t>(lane);
          set_operand(harness, instruction.sources[i].index, lane,
                      sets[at < sets.size() ? at : 0][i], size_of(source));
        }
      }
      if (!harness.execute(instruction, unit)) {
        ADD_FAILURE() << "no handler on " << unit.name;
        return {};
      }
      const bool is_pair = instruction.destinations[0].width == 2;
      for (int lane = 0; lane < 32; ++lane) {
        if ((mask >> lane & 1) == 0) {
          EXPECT_EQ(harness.word(0, lane), kUntouched);
          EXPECT_EQ(harness.word(1, lane), kUntouched);
        } else if (!is_pair) {
          EXPECT_EQ(harness.word(1, lane), kUntouched);
        }
        if (all_lanes && first + static_cast<std::size_t>(lane) < sets.size()) {
          results.push_back(is_pair ? harness.get<std::uint64_t>(0, lane) : harness.word(0, lane));
        }
      }
    }
  }
  return results;
}

/// Expects `model(operands)` for every set on every unit; stops at the first difference.
template <class Model>
void expect_model(const code::Instruction& instruction, const std::vector<Operands>& sets,
                  Model model) {
  std::vector<std::uint64_t> expected;
  expected.reserve(sets.size());
  for (const Operands& operands : sets) expected.push_back(model(operands));
  for (const VectorUnit& unit : vector_units()) {
    const std::vector<std::uint64_t> results = results_of(instruction, sets, unit);
    ASSERT_EQ(results.size(), expected.size());
    for (std::size_t i = 0; i < sets.size(); ++i) {
      ASSERT_EQ(results[i], expected[i])
          << std::hex << "of 0x" << sets[i][0] << ", 0x" << sets[i][1] << ", 0x" << sets[i][2]
          << ": 0x" << results[i] << ", not 0x" << expected[i] << std::dec << "\n"
          << code::name_of(instruction.operation) << "." << name_of(instruction.type) << "."
          << name_of(instruction.source_type) << " rounding "
          << static_cast<int>(instruction.rounding) << " ftz " << instruction.flush_subnormals
          << " sat " << instruction.saturate << " on " << unit.name;
    }
  }
}

inline void expect_no_handler(const code::Instruction& instruction) {
  for (const VectorUnit& unit : vector_units()) {
    LaneHarness harness;
    EXPECT_FALSE(harness.execute(instruction, unit))
        << code::name_of(instruction.operation) << "." << name_of(instruction.type);
  }
}

}  // namespace heddle::exec::test
