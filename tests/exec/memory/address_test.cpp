// The instructions cvta, isspacep, cp.async, prefetch and fences.

#include <gmock/gmock.h>

#include "exec/memory/memory_fixture.h"

namespace heddle::exec::test {
namespace {

using code::Operand;
using code::Operation;
using code::Space;

class AddressTest : public MemoryTest {
 protected:
  code::Instruction instruction(Operation operation, Space space) {
    code::Instruction out;
    out.operation = operation;
    out.space = space;
    out.type = ValueType::u64;
    return out;
  }
};

TEST_F(AddressTest, ConvertsBetweenStateSpaceAndGenericAddresses) {
  struct Case {
    Space space;
    std::uint64_t window;
  };
  for (const VectorUnit& unit : vector_units()) {
    for (const Case& c : {Case{Space::shared, kSharedWindow}, Case{Space::local, kLocalWindow},
                          Case{Space::parameter, kParameterWindow}, Case{Space::global, 0},
                          Case{Space::constant, 0}}) {
      for (const int width : {1, 2}) {
        harness.reset();
        const std::uint64_t base = c.window == 0 && width == 2 ? kGlobalBase : 0;
        for (int lane = 0; lane < 32; ++lane) {
          harness.set<std::uint64_t>(0, lane, base + static_cast<unsigned>(lane) * 12);
        }
        code::Instruction to_generic = instruction(Operation::convert_address, c.space);
        to_generic.destinations.push_back(Operand::reg(2, 2));
        to_generic.sources.push_back(Operand::reg(0, width));
        ASSERT_TRUE(harness.execute(to_generic, unit));
        code::Instruction back = instruction(Operation::convert_address, c.space);
        back.to_space = true;
        back.destinations.push_back(Operand::reg(4, width));
        back.sources.push_back(Operand::reg(2, 2));
        ASSERT_TRUE(harness.execute(back, unit));
        for (int lane = 0; lane < 32; ++lane) {
          const std::uint64_t address = base + static_cast<unsigned>(lane) * 12;
          EXPECT_EQ(harness.get<std::uint64_t>(2, lane), c.window + address);
          EXPECT_EQ(harness.word(4, lane), static_cast<std::uint32_t>(address));
          EXPECT_EQ(harness.word(5, lane),
                    width == 2 ? static_cast<std::uint32_t>(address >> 32) : kUntouched);
        }
      }
    }
  }
}

TEST_F(AddressTest, IsSpaceRecognisesSpaceOfGenericAddress) {
  const std::uint64_t buffer = memory.allocate(64);
  const std::uint64_t constant = memory.allocate(64, {.kind = AllocationKind::constant});
  struct Case {
    std::uint64_t address;
    Space space;
  };
  const std::vector<Case> cases = {{buffer, Space::global},
                                   {constant + 63, Space::constant},
                                   {kSharedWindow, Space::shared},
                                   {kSharedWindow + kWindowBytes - 1, Space::shared},
                                   {kLocalWindow, Space::local},
                                   {kParameterWindow + 8, Space::parameter},
                                   {0, Space::global}};
  for (const VectorUnit& unit : vector_units()) {
    for (const Space queried_space :
         {Space::global, Space::shared, Space::local, Space::constant, Space::parameter}) {
      harness.reset();
      std::uint32_t expected = 0;
      for (int lane = 0; lane < 32; ++lane) {
        const Case& c = cases[static_cast<std::size_t>(lane) % cases.size()];
        harness.set<std::uint64_t>(0, lane, c.address);
        if (c.space == queried_space) expected |= 1U << lane;
      }
      harness.context.active = 0xffff00ff;
      harness.set_predicate(1, 0x00ff0000);
      code::Instruction query = instruction(Operation::is_space, queried_space);
      query.destinations.push_back(Operand::predicate(1));
      query.sources.push_back(Operand::reg(0, 2));
      ASSERT_TRUE(harness.execute(query, unit));
      EXPECT_EQ(harness.predicate(1), expected & 0xffff00ff);
    }
  }
}

TEST_F(AddressTest, CopyAsyncFillsMissingSourceBytesWithZero) {
  const std::uint64_t buffer = allocate_random(2048);
  for (const VectorUnit& unit : vector_units()) {
    for (const std::uint32_t bytes : {4U, 8U, 16U}) {
      for (const int variant : {0, 1, 2}) {
        // 0: copies all bytes; 1: as many as a size operand states; 2: none if a predicate is true.
        harness.reset();
        harness.context.active = 0x0fff'fff7;
        code::Instruction copy = instruction(Operation::copy_async, Space::shared);
        copy.copy_bytes = static_cast<std::uint8_t>(bytes);
        copy.offset = 16;
        copy.sources = {Operand::reg(0, 1), Operand::reg(2, 2)};
        if (variant == 1) copy.sources.push_back(Operand::reg(4));
        if (variant == 2) copy.sources.push_back(Operand::predicate(3));
        harness.set_predicate(3, 0x0000'ff00);
        for (int lane = 0; lane < 32; ++lane) {
          const auto l = static_cast<unsigned>(lane);
          harness.set<std::uint32_t>(0, lane, l * bytes);
          harness.set<std::uint64_t>(2, lane, buffer + (31 - l) * bytes);
          harness.set<std::uint32_t>(4, lane, l % (bytes + 2));
          // Without a read, the address does not matter.
          if (variant == 1 && l % (bytes + 2) == 0) harness.set<std::uint64_t>(2, lane, 3);
          if (variant == 2 && l >= 8 && l < 16) harness.set<std::uint64_t>(2, lane, 5);
          for (std::uint32_t b = 0; b < bytes; ++b)
            shared_byte(16 + l * bytes + b) = std::byte{0xee};
        }
        ASSERT_TRUE(harness.execute(copy, unit));
        for (unsigned l = 0; l < 32; ++l) {
          for (std::uint32_t b = 0; b < bytes; ++b) {
            std::byte expected = *memory.host(buffer + (31 - l) * bytes + b);
            if (variant == 1 && b >= l % (bytes + 2)) expected = std::byte{0};
            if (variant == 2 && l >= 8 && l < 16) expected = std::byte{0};
            if ((harness.context.active >> l & 1) == 0) expected = std::byte{0xee};
            ASSERT_EQ(shared_byte(16 + l * bytes + b), expected) << l << " " << b;
          }
        }
      }
    }
  }
}

TEST_F(AddressTest, CopyAsyncFaultsOnInvalidAddresses) {
  const std::uint64_t buffer = allocate_random(64, {.name = "source"});
  code::Instruction copy = instruction(Operation::copy_async, Space::shared);
  copy.copy_bytes = 16;
  copy.sources = {Operand::reg(0, 1), Operand::reg(2, 2)};
  harness.context.active = 1;
  const VectorUnit& unit = vector_units().front();
  const auto kind_of = [&](std::uint32_t to, std::uint64_t from) {
    harness.set<std::uint32_t>(0, 0, to);
    harness.set<std::uint64_t>(2, 0, from);
    const std::optional<LaneFault> fault = fault_of(copy, unit);
    return fault ? std::optional(fault->kind) : std::nullopt;
  };
  EXPECT_EQ(kind_of(0, buffer), std::nullopt);
  EXPECT_EQ(kind_of(8, buffer), FaultKind::misaligned);
  EXPECT_EQ(kind_of(0, buffer + 8), FaultKind::misaligned);
  EXPECT_EQ(kind_of(kSharedBytes, buffer), FaultKind::out_of_bounds);
  EXPECT_EQ(kind_of(0, buffer + 64), FaultKind::out_of_bounds);
}

TEST_F(AddressTest, PrefetchFenceAndWaitHaveNoEffect) {
  for (const VectorUnit& unit : vector_units()) {
    for (const Operation operation :
         {Operation::prefetch, Operation::fence, Operation::copy_async_wait}) {
      harness.reset();
      code::Instruction nothing = instruction(operation, Space::global);
      nothing.sources.push_back(Operand::immediate(1, 2));
      ASSERT_TRUE(harness.execute(nothing, unit));
      for (std::uint32_t reg = 0; reg < 16; ++reg) EXPECT_EQ(harness.word(reg, 3), kUntouched);
    }
  }
}

}  // namespace
}  // namespace heddle::exec::test
