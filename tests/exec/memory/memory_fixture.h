#pragma once

// A test fixture: a warp with all its memories, and access to each byte of them.

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "exec/fault/fault.h"
#include "exec/lanes/lane_harness.h"
#include "exec/memory/address_space.h"
#include "exec/memory/global_memory.h"

namespace heddle::exec::test {

inline constexpr std::uint32_t kSharedBytes = 2048;
inline constexpr std::uint32_t kLocalBytes = 512;
inline constexpr std::uint32_t kParameterBytes = 192;

class MemoryTest : public ::testing::Test {
 protected:
  MemoryTest() : shared_(kSharedBytes), local_(kLocalBytes / 4), parameters_(kParameterBytes) {
    MemoryView& view = harness.context.memory;
    view.global = &memory;
    view.shared = shared_.data();
    view.shared_bytes = kSharedBytes;
    view.local = local_.front().lane;
    view.local_bytes = kLocalBytes;
    view.parameters = parameters_.data();
    view.parameter_bytes = kParameterBytes;
    for (std::byte& byte : shared_) byte = random_byte();
    for (std::byte& byte : parameters_) byte = random_byte();
    for (VectorRegister& words : local_) {
      for (std::uint32_t& word : words.lane) word = static_cast<std::uint32_t>(random());
    }
  }

  std::byte random_byte() { return static_cast<std::byte>(random() & 0xff); }

  std::uint64_t allocate_random(std::uint64_t bytes, AllocationOptions options = {}) {
    const std::uint64_t address = memory.allocate(bytes, std::move(options));
    std::vector<std::byte> content(bytes);
    for (std::byte& byte : content) byte = random_byte();
    memory.write(address, content);
    return address;
  }

  std::byte& shared_byte(std::uint64_t offset) { return shared_.at(offset); }
  std::byte parameter_byte(std::uint64_t offset) const { return parameters_.at(offset); }
  /// A byte of one lane's local memory. local_[i] holds word i of all lanes.
  std::byte& local_byte(int lane, std::uint64_t offset) {
    std::uint32_t& word = local_.at(offset / 4).lane[lane];
    return reinterpret_cast<std::byte*>(&word)[offset % 4];
  }

  /// Executes the instruction and returns the fault that it raises, if any.
  std::optional<LaneFault> fault_of(const code::Instruction& instruction, const VectorUnit& unit) {
    try {
      EXPECT_TRUE(harness.execute(instruction, unit));
    } catch (const LaneFault& fault) {
      return fault;
    }
    return std::nullopt;
  }

  std::mt19937 random{11};
  GlobalMemory memory{{.capacity = std::uint64_t{1} << 24}};
  LaneHarness harness;

 private:
  std::vector<std::byte> shared_;
  std::vector<VectorRegister> local_;
  std::vector<std::byte> parameters_;
};

/// A load of `count` values into registers from `first` on.
inline code::Instruction make_load(code::Space space, ValueType type, int width, int count,
                                   code::Operand address, std::uint32_t first) {
  code::Instruction instruction;
  instruction.operation = code::Operation::load;
  instruction.space = space;
  instruction.type = type;
  instruction.vector_count = static_cast<std::uint8_t>(count);
  instruction.sources.push_back(address);
  for (int k = 0; k < count; ++k) {
    instruction.destinations.push_back(
        code::Operand::reg(first + static_cast<std::uint32_t>(k * width), width));
  }
  return instruction;
}

/// A store of `count` values from registers from `first` on.
inline code::Instruction make_store(code::Space space, ValueType type, int width, int count,
                                    code::Operand address, std::uint32_t first) {
  code::Instruction instruction;
  instruction.operation = code::Operation::store;
  instruction.space = space;
  instruction.type = type;
  instruction.vector_count = static_cast<std::uint8_t>(count);
  instruction.sources.push_back(address);
  for (int k = 0; k < count; ++k) {
    instruction.sources.push_back(
        code::Operand::reg(first + static_cast<std::uint32_t>(k * width), width));
  }
  return instruction;
}

}  // namespace heddle::exec::test
