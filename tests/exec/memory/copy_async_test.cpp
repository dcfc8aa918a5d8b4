// cp.async from global to shared memory, on every vector unit.

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

#include "exec/memory/memory_fixture.h"

namespace heddle::exec::test {
namespace {

using code::Operand;

// Registers: the addresses in shared and in global memory, and the bytes to copy.
constexpr std::uint32_t kTarget = 0;
constexpr std::uint32_t kSource = 2;
constexpr std::uint32_t kSize = 4;
constexpr std::uint32_t kSourceBytes = 1024;

class CopyAsyncTest : public MemoryTest {
 protected:
  code::Instruction make_copy(std::uint32_t bytes, bool with_size) const {
    code::Instruction copy;
    copy.operation = code::Operation::copy_async;
    copy.space = code::Space::shared;
    copy.copy_bytes = static_cast<std::uint8_t>(bytes);
    copy.offset = 16;
    copy.sources.push_back(Operand::reg(kTarget));
    copy.sources.push_back(Operand::reg(kSource, 2));
    if (with_size) copy.sources.push_back(Operand::reg(kSize));
    return copy;
  }
  std::vector<std::byte> shared_bytes() {
    std::vector<std::byte> bytes;
    for (std::uint32_t i = 0; i < kSharedBytes; ++i) bytes.push_back(shared_byte(i));
    return bytes;
  }
};

TEST_F(CopyAsyncTest, CopiesActiveLanesAndFillsWithZeros) {
  const std::uint64_t buffer = allocate_random(kSourceBytes);
  std::vector<std::byte> content(kSourceBytes);
  memory.read(buffer, content);
  for (const VectorUnit& unit : vector_units()) {
    for (const std::uint32_t bytes : {4U, 8U, 16U}) {
      for (const std::uint32_t mask : interesting_masks()) {
        // Without sizes, with sizes that are large enough, and with any sizes.
        for (int form = 0; form < 3; ++form) {
          harness.reset();
          harness.context.active = mask;
          std::vector<std::byte> expected = shared_bytes();
          for (int lane = 0; lane < 32; ++lane) {
            // Several lanes may copy to the same place, where the highest lane's bytes remain.
            const auto target = static_cast<std::uint32_t>(random() % 96 * 16);
            const auto source =
                static_cast<std::uint32_t>(random() % (kSourceBytes / bytes) * bytes);
            const auto size =
                static_cast<std::uint32_t>(form == 2 ? random() % 20 : bytes + random() % 3);
            const bool active = (mask >> lane & 1) != 0;
            harness.set<std::uint32_t>(kTarget, lane, active ? target : 0xffff'fff0U);
            harness.set<std::uint64_t>(kSource, lane, active ? buffer + source : 1);
            harness.set<std::uint32_t>(kSize, lane, active ? size : 0);
            if (!active) continue;
            for (std::uint32_t i = 0; i < bytes; ++i) {
              expected[target + 16 + i] =
                  form == 0 || i < size ? content[source + i] : std::byte{0};
            }
          }
          ASSERT_TRUE(harness.execute(make_copy(bytes, form != 0), unit));
          ASSERT_EQ(shared_bytes(), expected)
              << unit.name << ", " << bytes << " bytes, mask " << mask << ", form " << form;
        }
      }
    }
  }
}

TEST_F(CopyAsyncTest, FaultChangesNothing) {
  const std::uint64_t buffer = allocate_random(kSourceBytes);
  for (const VectorUnit& unit : vector_units()) {
    harness.reset();
    for (int lane = 0; lane < 32; ++lane) {
      const auto offset = static_cast<std::uint32_t>(lane) * 4;
      harness.set<std::uint32_t>(kTarget, lane, offset);
      harness.set<std::uint64_t>(kSource, lane,
                                 lane == 9 ? buffer + kSourceBytes : buffer + offset);
    }
    const std::vector<std::byte> before = shared_bytes();
    const std::optional<LaneFault> fault = fault_of(make_copy(4, false), unit);
    ASSERT_TRUE(fault.has_value()) << unit.name;
    EXPECT_EQ(fault->lane, 9) << unit.name;
    EXPECT_EQ(shared_bytes(), before) << unit.name;
  }
}

}  // namespace
}  // namespace heddle::exec::test
