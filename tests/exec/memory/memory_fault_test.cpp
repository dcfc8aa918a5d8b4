#include <gmock/gmock.h>

#include "exec/memory/memory_fixture.h"

namespace heddle::exec::test {
namespace {

using code::Operand;
using code::Space;
using ::testing::HasSubstr;

constexpr std::uint32_t kAddress = 0;
constexpr std::uint32_t kValue = 8;

class MemoryFaultTest : public MemoryTest {
 protected:
  MemoryFaultTest() { buffer_ = allocate_random(1000, {.name = "buf"}); }

  void set_addresses(std::uint64_t first, std::uint64_t stride) {
    for (int lane = 0; lane < 32; ++lane) {
      harness.set<std::uint64_t>(kAddress, lane, first + static_cast<unsigned>(lane) * stride);
    }
  }
  code::Instruction load(Space space, ValueType type = ValueType::u32) {
    return make_load(space, type, size_of(type) == 8 ? 2 : 1, 1, Operand::reg(kAddress, 2), kValue);
  }
  code::Instruction store(Space space, ValueType type = ValueType::u32) {
    return make_store(space, type, size_of(type) == 8 ? 2 : 1, 1, Operand::reg(kAddress, 2),
                      kValue);
  }
  /// Expects a fault of the given kind in the given lane, and no change of memory, on every vector
  /// unit (the handlers as compiled for one of the host's vector extensions, such as AVX2).
  void expect_fault(const code::Instruction& instruction, FaultKind kind, int lane,
                    std::string_view detail) {
    for (const VectorUnit& unit : vector_units()) {
      std::vector<std::byte> before(1000);
      memory.read(buffer_, before);
      const std::optional<LaneFault> fault = fault_of(instruction, unit);
      ASSERT_TRUE(fault.has_value()) << unit.name;
      EXPECT_EQ(fault->kind, kind);
      EXPECT_EQ(fault->lane, lane);
      EXPECT_THAT(fault->detail, HasSubstr(std::string(detail)));
      std::vector<std::byte> after(1000);
      memory.read(buffer_, after);
      EXPECT_EQ(before, after);
      EXPECT_EQ(harness.word(kValue, 0), kUntouched);
    }
  }

  std::uint64_t buffer_ = 0;
};

TEST_F(MemoryFaultTest, AccessPastEndNamesBufferAndLane) {
  set_addresses(buffer_, 4);
  harness.set<std::uint64_t>(kAddress, 17, buffer_ + 1012);
  const std::string detail =
      "load of 4 bytes at 0x10000103f4 in global memory: 12 bytes past the end of 'buf' (1000 "
      "bytes at 0x1000010000)";
  expect_fault(load(Space::global), FaultKind::out_of_bounds, 17, detail);
  expect_fault(load(Space::generic), FaultKind::out_of_bounds, 17, detail);
  expect_fault(store(Space::global), FaultKind::out_of_bounds, 17, "store of 4 bytes");
  harness.context.active = ~(1U << 17);
  for (const VectorUnit& unit : vector_units()) {
    EXPECT_FALSE(fault_of(load(Space::global), unit).has_value());
  }
}

TEST_F(MemoryFaultTest, LastByteOfBufferIsValidAndNextFaults) {
  for (const VectorUnit& unit : vector_units()) {
    for (const std::uint64_t stride : {0, 4}) {
      harness.reset();
      set_addresses(buffer_ + 1000 - 31 * stride - 4, stride);
      EXPECT_FALSE(fault_of(load(Space::global), unit).has_value());
    }
  }
  harness.reset();
  set_addresses(buffer_ + 1000 - 31 * 4, 4);
  expect_fault(load(Space::global), FaultKind::out_of_bounds, 31, "0 bytes past the end of 'buf'");
  set_addresses(buffer_ + 992, 0);
  code::Instruction wide =
      make_load(Space::global, ValueType::u32, 1, 4, Operand::reg(kAddress, 2), kValue);
  expect_fault(wide, FaultKind::out_of_bounds, 0, "reaching 8 bytes past the end of 'buf'");
}

TEST_F(MemoryFaultTest, DistantAddressesDoNotWrapIntoBuffer) {
  for (const std::uint64_t wild :
       {std::uint64_t{0}, std::uint64_t{64}, ~std::uint64_t{3}, std::uint64_t{1} << 63,
        buffer_ + (std::uint64_t{1} << 63), buffer_ - 4, std::uint64_t{0x0fff'ffff'fffc}}) {
    set_addresses(buffer_, 4);
    harness.set<std::uint64_t>(kAddress, 5, wild);
    for (const Space space : {Space::global, Space::generic, Space::constant}) {
      expect_fault(load(space), FaultKind::out_of_bounds, 5, "load of 4 bytes at");
      expect_fault(store(space), FaultKind::out_of_bounds, 5, "store of 4 bytes at");
    }
    set_addresses(wild, 0);
    expect_fault(load(Space::global), FaultKind::out_of_bounds, 0, "load of 4 bytes at");
    expect_fault(load(Space::generic), FaultKind::out_of_bounds, 0, "load of 4 bytes at");
  }
  set_addresses(0, 0);
  expect_fault(load(Space::generic), FaultKind::out_of_bounds, 0, "a null pointer");
}

TEST_F(MemoryFaultTest, FaultNamesFreedAllocation) {
  set_addresses(buffer_, 4);
  const std::uint64_t old = allocate_random(512, {.name = "old"});
  for (const VectorUnit& unit : vector_units()) {
    set_addresses(old, 4);
    EXPECT_FALSE(fault_of(load(Space::global), unit).has_value());
    harness.reset();
  }
  memory.free(old);
  set_addresses(old, 4);
  expect_fault(load(Space::global), FaultKind::freed_memory, 0, "into freed 'old' (512 bytes at");
}

TEST_F(MemoryFaultTest, MisalignedAccessesFaultForEverySize) {
  for (const ValueType type : {ValueType::u16, ValueType::u32, ValueType::u64}) {
    const auto size = static_cast<std::uint64_t>(size_of(type));
    for (std::uint64_t off = 1; off < size; ++off) {
      set_addresses(buffer_, size);
      harness.set<std::uint64_t>(kAddress, 9, buffer_ + 9 * size + off);
      expect_fault(load(Space::global, type), FaultKind::misaligned, 9, "aligned to");
      set_addresses(buffer_ + off, size);
      expect_fault(store(Space::global, type), FaultKind::misaligned, 0, "aligned to");
      set_addresses(off, size);
      expect_fault(load(Space::shared, type), FaultKind::misaligned, 0, "shared memory");
      expect_fault(load(Space::local, type), FaultKind::misaligned, 0, "local memory");
    }
  }
  set_addresses(buffer_ + 8, 16);
  expect_fault(make_load(Space::global, ValueType::u32, 1, 4, Operand::reg(kAddress, 2), kValue),
               FaultKind::misaligned, 0, "aligned to 16 bytes");
}

TEST_F(MemoryFaultTest, ConstantVariablesCanBeReadButNotWritten) {
  const std::uint64_t table =
      allocate_random(512, {.name = "table", .kind = AllocationKind::constant});
  for (const VectorUnit& unit : vector_units()) {
    set_addresses(table, 4);
    EXPECT_FALSE(fault_of(load(Space::constant), unit).has_value());
    EXPECT_FALSE(fault_of(load(Space::generic), unit).has_value());
    harness.reset();
  }
  set_addresses(table, 4);
  expect_fault(store(Space::generic), FaultKind::read_only, 0, "into 'table'");
  expect_fault(store(Space::global), FaultKind::read_only, 0, "into 'table'");
}

TEST_F(MemoryFaultTest, ChecksBoundsOfSharedLocalAndParameterMemory) {
  set_addresses(kSharedBytes - 31 * 4, 4);
  expect_fault(load(Space::shared), FaultKind::out_of_bounds, 31,
               "the shared memory of the block has 2048 bytes");
  set_addresses(kSharedWindow + kSharedBytes, 0);
  expect_fault(store(Space::generic), FaultKind::out_of_bounds, 0,
               "generic address 0x100000800 in shared memory");
  set_addresses(kLocalBytes, 0);
  expect_fault(load(Space::local), FaultKind::out_of_bounds, 0,
               "the local memory of the thread has 512 bytes");
  set_addresses(kLocalWindow + kLocalBytes, 0);
  expect_fault(load(Space::generic), FaultKind::out_of_bounds, 0, "local memory");
  set_addresses(kParameterBytes, 0);
  expect_fault(load(Space::parameter), FaultKind::out_of_bounds, 0,
               "the parameter memory of the kernel has 192 bytes");
  set_addresses(kParameterWindow, 0);
  expect_fault(store(Space::generic), FaultKind::read_only, 0, "cannot change its parameters");
}

TEST_F(MemoryFaultTest, AccessPartlyBeyondSharedMemoryFaults) {
  harness.context.memory.shared_bytes = 1022;
  set_addresses(1020, 0);
  expect_fault(load(Space::shared), FaultKind::out_of_bounds, 0, "has 1022 bytes");
  set_addresses(kSharedWindow + 1020, 0);
  expect_fault(load(Space::generic), FaultKind::out_of_bounds, 0, "has 1022 bytes");
  // The memory is smaller than any access.
  harness.context.memory.shared_bytes = 2;
  set_addresses(0, 4);
  expect_fault(store(Space::shared), FaultKind::out_of_bounds, 0, "has 2 bytes");
}

TEST_F(MemoryFaultTest, FaultInOneSpaceStopsLanesInOtherSpaces) {
  set_addresses(buffer_, 4);
  for (int lane = 0; lane < 16; ++lane) {
    harness.set<std::uint64_t>(kAddress, lane, kSharedWindow + static_cast<unsigned>(lane) * 4);
  }
  harness.set<std::uint64_t>(kAddress, 30, kLocalWindow + kLocalBytes);
  const std::byte before = shared_byte(0);
  expect_fault(store(Space::generic), FaultKind::out_of_bounds, 30, "local memory");
  EXPECT_EQ(shared_byte(0), before);
}

TEST_F(MemoryFaultTest, OutgoingArgumentsBeyondStackOverflow) {
  harness.context.frame_base = 0;
  harness.context.frame_top = kLocalBytes - 8;
  code::Instruction argument =
      make_store(Space::local, ValueType::u32, 1, 1, Operand::none(), kValue);
  argument.outgoing = true;
  argument.offset = 4;
  for (const VectorUnit& unit : vector_units()) {
    EXPECT_FALSE(fault_of(argument, unit).has_value());
  }
  argument.offset = 8;
  expect_fault(argument, FaultKind::stack_overflow, 0, "a thread's stack has 512 bytes");
  code::Instruction spill;
  spill.operation = code::Operation::store_local_slot;
  spill.type = ValueType::b64;
  spill.sources.push_back(Operand::reg(kValue, 2));
  spill.offset = kLocalBytes - 4;
  expect_fault(spill, FaultKind::stack_overflow, 0, "a thread's stack has 512 bytes");
}

TEST_F(MemoryFaultTest, WarpWithoutMemoriesFaultsInEverySpace) {
  harness.context.memory = {};
  set_addresses(0, 4);
  for (const VectorUnit& unit : vector_units()) {
    for (const Space space : {Space::global, Space::generic, Space::shared, Space::local,
                              Space::parameter, Space::constant}) {
      const std::optional<LaneFault> fault = fault_of(load(space), unit);
      ASSERT_TRUE(fault.has_value());
      EXPECT_EQ(fault->kind, FaultKind::out_of_bounds);
    }
    set_addresses(kGlobalBase, 4);
    EXPECT_TRUE(fault_of(load(Space::global), unit).has_value());
    set_addresses(0, 4);
  }
}

}  // namespace
}  // namespace heddle::exec::test
