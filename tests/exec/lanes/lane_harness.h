#pragma once

// Executes one machine instruction with chosen lane values, on a given vector unit (the handlers as
// compiled for one of the host's vector extensions, such as AVX2) and under a given mask of active
// lanes, and gives access to its results.

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <random>
#include <vector>

#include "code/instruction.h"
#include "exec/block/vector_register.h"
#include "exec/block/warp_context.h"
#include "exec/decode.h"
#include "exec/vector_unit.h"

namespace heddle::exec::test {

/// The initial value of all registers.
inline constexpr std::uint32_t kUntouched = 0xdeadbeef;

/// A warp with 64 registers and 15 predicates, without a block or a launch.
class LaneHarness {
 public:
  LaneHarness() { reset(); }

  void reset() {
    for (VectorRegister& vector_register : registers_) {
      for (std::uint32_t& word : vector_register.lane) word = kUntouched;
    }
    predicates_.fill(0);
    predicates_[0] = ~std::uint32_t{0};
    context.active = context.path_active = ~std::uint32_t{0};
  }

  /// The value of register `index`, or of the pair `index`, `index` + 1 for 8-byte types.
  template <class T>
  T get(std::uint32_t index, int lane) const {
    if constexpr (sizeof(T) == 8) {
      return std::bit_cast<T>(std::uint64_t{registers_[index].lane[lane]} |
                              std::uint64_t{registers_[index + 1].lane[lane]} << 32);
    } else if constexpr (sizeof(T) == 4) {
      return std::bit_cast<T>(registers_[index].lane[lane]);
    } else if constexpr (sizeof(T) == 2) {
      return std::bit_cast<T>(static_cast<std::uint16_t>(registers_[index].lane[lane]));
    } else {
      return std::bit_cast<T>(static_cast<std::uint8_t>(registers_[index].lane[lane]));
    }
  }
  /// Sets register `index`, or the pair for 8-byte types. Fills the bits above a narrow value with
  /// ones, to detect a handler that reads them.
  template <class T>
  void set(std::uint32_t index, int lane, T value) {
    if constexpr (sizeof(T) == 8) {
      const auto bits = std::bit_cast<std::uint64_t>(value);
      registers_[index].lane[lane] = static_cast<std::uint32_t>(bits);
      registers_[index + 1].lane[lane] = static_cast<std::uint32_t>(bits >> 32);
    } else if constexpr (sizeof(T) == 4) {
      registers_[index].lane[lane] = std::bit_cast<std::uint32_t>(value);
    } else if constexpr (sizeof(T) == 2) {
      registers_[index].lane[lane] = 0xffff0000U | std::bit_cast<std::uint16_t>(value);
    } else {
      registers_[index].lane[lane] = 0xffffff00U | std::bit_cast<std::uint8_t>(value);
    }
  }
  std::uint32_t word(std::uint32_t index, int lane) const { return registers_[index].lane[lane]; }
  std::uint32_t predicate(std::uint32_t index) const { return predicates_[index + 1]; }
  void set_predicate(std::uint32_t index, std::uint32_t mask) { predicates_[index + 1] = mask; }

  /// Executes under context.active. Returns false if the unit has no handler for the instruction.
  bool execute(const code::Instruction& instruction, const VectorUnit& unit) {
    const SymbolAddresses symbols;
    Decoder decoder(symbols, unit);
    decoder.append(instruction);
    DecodedProgram program = decoder.finish();
    const Decoded& decoded = program.instructions.front();
    if (decoded.handler == nullptr) return false;
    context.base = {registers_.front().lane,
                    program.immediates.empty() ? nullptr : program.immediates.front().lane, nullptr,
                    nullptr};
    context.predicates = predicates_.data();
    context.code = &instruction;
    context.more_sources = program.more_sources.data();
    context.accesses = &accesses_;
    decoded.handler(context, decoded);
    return true;
  }

  WarpContext context;

 private:
  AccessScratch accesses_{};
  std::array<VectorRegister, 64> registers_{};
  std::array<std::uint32_t, 16> predicates_{};
};

/// Representative masks: all lanes, none, one, alternating, the edges, and a few random ones.
inline std::vector<std::uint32_t> interesting_masks() {
  std::vector<std::uint32_t> masks = {0xffffffff, 0, 1, 0x80000000, 0x55555555, 0xffff0000, 0x7};
  std::mt19937 random(7);
  for (int i = 0; i < 3; ++i) masks.push_back(static_cast<std::uint32_t>(random()));
  return masks;
}

}  // namespace heddle::exec::test
