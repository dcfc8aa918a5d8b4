// Atomics whose lanes access contiguous elements, one element, or any: the result equals that of
// the same atomics by one lane after another.

#include <gmock/gmock.h>

#include <vector>

#include "exec/memory/memory_fixture.h"

namespace heddle::exec::test {
namespace {

using code::Operand;
using code::Reduction;
using code::Space;

constexpr std::uint32_t kAddress = 0;
constexpr std::uint32_t kOld = 8;
constexpr std::uint32_t kOperand = 24;
constexpr std::uint32_t kNew = 40;
constexpr std::uint32_t kElements = 40;

enum class Pattern : std::uint8_t { contiguous, one_element, any };

class AtomicPatternsTest : public MemoryTest {
 protected:
  /// An integer or the bits of a number, often a special one.
  std::uint64_t random_bits(ValueType type) {
    static constexpr std::array<std::uint32_t, 10> kSingles{
        0,           0x8000'0000, 0x0000'0001, 0x8012'3456, 0x007f'ffff,
        0x0080'0001, 0x8080'0000, 0x7f80'0000, 0xff80'0000, 0x7fa0'0000};
    static constexpr std::array<std::uint64_t, 6> kDoubles{0,
                                                           0x8000'0000'0000'0000,
                                                           1,
                                                           0x7ff0'0000'0000'0000,
                                                           0xfff0'0000'0000'0000,
                                                           0x7ff4'0000'0000'0001};
    if (type == ValueType::f32 && random() % 2 == 0) return kSingles[random() % kSingles.size()];
    if (type == ValueType::f64 && random() % 2 == 0) return kDoubles[random() % kDoubles.size()];
    const std::uint64_t bits = std::uint64_t{random()} << 32 | random();
    return random() % 4 == 0 ? bits % 3 : bits;
  }

  void set(std::uint32_t index, int lane, std::uint64_t bits, int bytes) {
    if (bytes == 8) return harness.set<std::uint64_t>(index, lane, bits);
    harness.set<std::uint32_t>(index, lane, static_cast<std::uint32_t>(bits));
  }

  void set_lanes(Space space, ValueType type, Pattern pattern) {
    const int bytes = size_of(type);
    for (int lane = 0; lane < 32; ++lane) {
      const auto any = static_cast<std::uint32_t>(random() % kElements);
      const std::uint32_t element = pattern == Pattern::contiguous
                                        ? static_cast<std::uint32_t>(lane)
                                    : pattern == Pattern::one_element ? 5
                                                                      : any;
      const std::uint64_t base = space == Space::shared ? 64 : buffer_;
      harness.set<std::uint64_t>(kAddress, lane,
                                 base + std::uint64_t{element} * static_cast<unsigned>(bytes));
      set(kOperand, lane, random_bits(type), bytes);
      set(kNew, lane, random_bits(type), bytes);
    }
  }

  std::vector<std::byte> content(Space space) {
    std::vector<std::byte> bytes(std::size_t{kElements} * 8);
    if (space == Space::global) {
      memory.read(buffer_, bytes);
    } else {
      for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = shared_byte(64 + i);
    }
    return bytes;
  }
  void set_content(Space space, const std::vector<std::byte>& bytes) {
    if (space == Space::global) return memory.write(buffer_, bytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) shared_byte(64 + i) = bytes[i];
  }
  std::vector<std::byte> random_content(ValueType type) {
    std::vector<std::byte> bytes(std::size_t{kElements} * 8);
    const auto size = static_cast<std::size_t>(size_of(type));
    for (std::size_t i = 0; i < bytes.size(); i += size) {
      const std::uint64_t bits = random_bits(type);
      std::memcpy(&bytes[i], &bits, size);
    }
    return bytes;
  }

  std::vector<std::uint64_t> old_values(int bytes) const {
    std::vector<std::uint64_t> values;
    for (int lane = 0; lane < 32; ++lane) {
      values.push_back(bytes == 8 ? harness.get<std::uint64_t>(kOld, lane)
                                  : harness.get<std::uint32_t>(kOld, lane));
    }
    return values;
  }

  void compare(const code::Instruction& atomic, Space space, Pattern pattern,
               const VectorUnit& unit) {
    const ValueType type = atomic.type;
    for (const std::uint32_t mask : interesting_masks()) {
      const std::vector<std::byte> before = random_content(type);
      harness.reset();
      set_lanes(space, type, pattern);
      const LaneHarness start = harness;

      set_content(space, before);
      harness.context.active = mask;
      ASSERT_TRUE(harness.execute(atomic, unit));
      const std::vector<std::byte> after = content(space);
      const std::vector<std::uint64_t> old = old_values(size_of(type));

      set_content(space, before);
      harness = start;
      for (int lane = 0; lane < 32; ++lane) {
        harness.context.active = mask & std::uint32_t{1} << lane;
        ASSERT_TRUE(harness.execute(atomic, unit));
      }
      ASSERT_EQ(after, content(space)) << unit.name << ' ' << name_of(type) << ", mask " << mask;
      ASSERT_EQ(old, old_values(size_of(type))) << unit.name << ' ' << name_of(type);
    }
  }

  std::uint64_t buffer_ = allocate_random(std::uint64_t{kElements} * 8);
};

TEST_F(AtomicPatternsTest, EqualsOneLaneAfterAnother) {
  struct Form {
    ValueType type;
    Reduction reduction;
  };
  constexpr std::array kForms{Form{ValueType::u32, Reduction::add},
                              Form{ValueType::s32, Reduction::min},
                              Form{ValueType::u32, Reduction::increment},
                              Form{ValueType::b32, Reduction::exchange},
                              Form{ValueType::b32, Reduction::xor_},
                              Form{ValueType::b32, Reduction::compare_and_swap},
                              Form{ValueType::u64, Reduction::add},
                              Form{ValueType::s64, Reduction::max},
                              Form{ValueType::b64, Reduction::compare_and_swap},
                              Form{ValueType::f32, Reduction::add},
                              Form{ValueType::f64, Reduction::add}};
  for (const Form& form : kForms) {
    const int width = size_of(form.type) == 8 ? 2 : 1;
    code::Instruction atomic;
    atomic.operation = code::Operation::atomic;
    atomic.type = form.type;
    atomic.reduction = form.reduction;
    atomic.vector_count = 1;
    atomic.sources.push_back(Operand::reg(kAddress, 2));
    atomic.sources.push_back(Operand::reg(kOperand, width));
    if (form.reduction == Reduction::compare_and_swap) {
      atomic.sources.push_back(Operand::reg(kNew, width));
    }
    atomic.destinations.push_back(Operand::reg(kOld, width));
    for (const Space space : {Space::global, Space::shared}) {
      atomic.space = space;
      for (const Pattern pattern : {Pattern::contiguous, Pattern::one_element, Pattern::any}) {
        for (const VectorUnit& unit : vector_units()) compare(atomic, space, pattern, unit);
      }
    }
  }
}

}  // namespace
}  // namespace heddle::exec::test
