// Deferred atomics: their operands are captured when the instruction issues, and they are performed
// later, when the request arrives at memory.

#include "exec/memory/deferred_atomic.h"

#include <gmock/gmock.h>

#include "exec/decode.h"
#include "exec/memory/memory_fixture.h"

namespace heddle::exec::test {
namespace {

using code::Operand;
using code::Reduction;
using code::Space;

// Registers: the address, the returned old value, and one or two operands.
constexpr std::uint32_t kAddress = 0;
constexpr std::uint32_t kOld = 8;
constexpr std::uint32_t kOperand = 16;
constexpr std::uint32_t kSecondOperand = 24;
constexpr std::uint64_t kBytes = 256;

code::Instruction make_atomic(Space space, ValueType type, Reduction reduction,
                              bool with_result = true) {
  code::Instruction instruction;
  instruction.operation = code::Operation::atomic;
  instruction.space = space;
  instruction.type = type;
  instruction.reduction = reduction;
  const int width = size_of(type) == 8 ? 2 : 1;
  if (with_result) instruction.destinations.push_back(Operand::reg(kOld, width));
  instruction.sources.push_back(Operand::reg(kAddress, 2));
  instruction.sources.push_back(Operand::reg(kOperand, width));
  if (reduction == Reduction::compare_and_swap) {
    instruction.sources.push_back(Operand::reg(kSecondOperand, width));
  }
  return instruction;
}

class DeferredAtomicTest : public MemoryTest {
 protected:
  DeferredAtomicTest() : buffer_(allocate_random(kBytes, {.name = "buf"})) {}

  /// Captures the atomic in the harness's context. Returns what DeferredAtomic::capture returns.
  bool capture(const code::Instruction& instruction) {
    const SymbolAddresses symbols;
    Decoder decoder(symbols, vector_units().front());
    decoder.append(instruction);
    program_ = decoder.finish();
    // With no active lanes, execute() only sets up the context.
    const std::uint32_t active = harness.context.active;
    harness.context.active = 0;
    EXPECT_TRUE(harness.execute(instruction, vector_units().front()));
    harness.context.active = active;
    harness.context.code = &instruction;
    return atomic_.capture(harness.context, program_.instructions.front());
  }
  std::vector<std::byte> content() {
    std::vector<std::byte> bytes(kBytes);
    memory.read(buffer_, bytes);
    return bytes;
  }

  DeferredAtomic atomic_;
  DecodedProgram program_;
  std::uint64_t buffer_;
};

TEST_F(DeferredAtomicTest, MatchesImmediateAtomicInLaneOrder) {
  const std::vector<ValueType> types = {
      ValueType::b16,  ValueType::u32,   ValueType::s32,   ValueType::b32, ValueType::u64,
      ValueType::s64,  ValueType::b64,   ValueType::f32,   ValueType::f64, ValueType::f16,
      ValueType::bf16, ValueType::f16x2, ValueType::bf16x2};
  const std::vector<Reduction> reductions = {Reduction::and_,      Reduction::or_,
                                             Reduction::xor_,      Reduction::add,
                                             Reduction::min,       Reduction::max,
                                             Reduction::increment, Reduction::decrement,
                                             Reduction::exchange,  Reduction::compare_and_swap};
  int forms = 0;
  for (const ValueType type : types) {
    for (const Reduction reduction : reductions) {
      for (const std::uint32_t mask : interesting_masks()) {
        const bool with_result = random() % 4 != 0;
        const Space space = random() % 2 == 0 ? Space::global : Space::generic;
        const code::Instruction instruction = make_atomic(space, type, reduction, with_result);
        harness.reset();
        harness.context.active = mask;
        const auto bytes = static_cast<std::uint64_t>(size_of(type));
        const std::uint64_t places = 1 + random() % 8;  // Few places, so that lanes collide.
        for (int lane = 0; lane < 32; ++lane) {
          const std::uint64_t address = buffer_ + random() % places * bytes;
          harness.set<std::uint64_t>(kAddress, lane, address);
          for (const std::uint32_t reg : {kOperand, kSecondOperand}) {
            harness.set<std::uint64_t>(reg, lane, std::uint64_t{random()} << 32 | random());
          }
          if (random() % 2 == 0) {  // Lets some compare-and-swaps succeed.
            std::uint64_t stored = 0;
            std::memcpy(&stored, memory.host(address), bytes);
            harness.set<std::uint64_t>(kOperand, lane, stored);
          }
        }
        const std::vector<std::byte> before = content();
        const LaneHarness registers = harness;
        if (!harness.execute(instruction, vector_units().front())) continue;
        ++forms;
        const std::vector<std::byte> expected = content();
        const LaneHarness expected_registers = harness;

        memory.write(buffer_, before);
        harness = registers;
        ASSERT_TRUE(capture(instruction));
        EXPECT_EQ(content(), before) << "capture() must not change memory";
        EXPECT_EQ(atomic_.lanes().bits(), mask);
        if (mask != 0) {
          EXPECT_EQ(atomic_.bytes(), bytes);
          EXPECT_EQ(atomic_.wants_old_values(), with_result);
        }
        for (LaneMask rest = atomic_.lanes(); !rest.empty(); rest = rest.without_lowest()) {
          const auto lane = static_cast<std::size_t>(rest.lowest());
          ASSERT_EQ(atomic_.addresses()[lane], harness.get<std::uint64_t>(kAddress, rest.lowest()));
        }
        // Later changes of the warp's registers and addresses must not matter.
        for (int lane = 0; lane < 32; ++lane) {
          harness.set<std::uint64_t>(kOperand, lane, 0);
          harness.set<std::uint64_t>(kSecondOperand, lane, 0);
          harness.context.address()[static_cast<std::size_t>(lane)] = 0;
        }
        if (mask != 0) {
          atomic_.perform(atomic_.lanes() & LaneMask::first_lanes(11));
          atomic_.perform(atomic_.lanes().without(LaneMask::first_lanes(11)));
        }
        ASSERT_EQ(content(), expected);
        atomic_.deliver(harness.context);
        for (int lane = 0; lane < 32; ++lane) {
          ASSERT_EQ(harness.word(kOld, lane), expected_registers.word(kOld, lane));
          ASSERT_EQ(harness.word(kOld + 1, lane), expected_registers.word(kOld + 1, lane));
        }
      }
    }
  }
  EXPECT_GT(forms, 600) << "too few existing forms were tested";
}

TEST_F(DeferredAtomicTest, PerformsLanesInAnyOrder) {
  harness.reset();
  harness.context.active = 0b1010;
  const std::uint32_t start = 100;
  std::memcpy(memory.host(buffer_), &start, 4);
  for (int lane = 0; lane < 32; ++lane) {
    harness.set<std::uint64_t>(kAddress, lane, buffer_);
    harness.set<std::uint32_t>(kOperand, lane, 1u << lane);
  }
  ASSERT_TRUE(capture(make_atomic(Space::global, ValueType::u32, Reduction::add)));
  atomic_.perform(LaneMask(0b1000));
  atomic_.perform(LaneMask(0b0010));
  atomic_.deliver(harness.context);
  EXPECT_EQ(harness.word(kOld, 3), 100u);
  EXPECT_EQ(harness.word(kOld, 1), 108u);
  EXPECT_EQ(harness.word(kOld, 0), kUntouched);
}

TEST_F(DeferredAtomicTest, DoesNotCaptureSharedMemoryAtomic) {
  for (const bool generic : {false, true}) {
    harness.reset();
    for (int lane = 0; lane < 32; ++lane) {
      harness.set<std::uint64_t>(kAddress, lane, generic ? kSharedWindow + 8 : 8);
    }
    EXPECT_FALSE(capture(
        make_atomic(generic ? Space::generic : Space::shared, ValueType::u32, Reduction::add)));
    EXPECT_TRUE(atomic_.in_shared_memory());
  }
}

TEST_F(DeferredAtomicTest, DoesNotCaptureAtomicPartlyInSharedMemory) {
  harness.reset();
  for (int lane = 0; lane < 32; ++lane) {
    harness.set<std::uint64_t>(kAddress, lane, lane == 9 ? kSharedWindow : buffer_);
  }
  const std::vector<std::byte> before = content();
  EXPECT_FALSE(capture(make_atomic(Space::generic, ValueType::u32, Reduction::add)));
  EXPECT_FALSE(atomic_.in_shared_memory());
  EXPECT_EQ(content(), before);
  harness.context.active = ~(1u << 9);
  EXPECT_TRUE(capture(make_atomic(Space::generic, ValueType::u32, Reduction::add)))
      << "the lane in shared memory is not active";
}

TEST_F(DeferredAtomicTest, DoesNotCaptureVectorAtomic) {
  harness.reset();
  for (int lane = 0; lane < 32; ++lane) harness.set<std::uint64_t>(kAddress, lane, buffer_);
  code::Instruction instruction = make_atomic(Space::global, ValueType::f32, Reduction::add, false);
  instruction.vector_count = 2;
  instruction.sources.push_back(Operand::reg(kOperand + 1));
  EXPECT_FALSE(capture(instruction));
  EXPECT_FALSE(atomic_.in_shared_memory());
}

TEST_F(DeferredAtomicTest, CaptureRaisesFaultsOfImmediateAtomic) {
  const std::uint64_t constant = memory.allocate(64, {.kind = AllocationKind::constant});
  for (const std::uint64_t address :
       {buffer_ + kBytes, buffer_ + 2, constant, std::uint64_t{16}, kLocalWindow + 8}) {
    for (int bad = 0; bad < 32; bad += 31) {
      harness.reset();
      for (int lane = 0; lane < 32; ++lane) {
        harness.set<std::uint64_t>(kAddress, lane, lane == bad ? address : buffer_);
      }
      const code::Instruction instruction =
          make_atomic(Space::generic, ValueType::u32, Reduction::add);
      const std::vector<std::byte> before = content();
      const auto expected = fault_of(instruction, vector_units().front());
      ASSERT_TRUE(expected.has_value());
      try {
        capture(instruction);
        ADD_FAILURE() << "no fault at " << std::hex << address;
      } catch (const LaneFault& fault) {
        EXPECT_EQ(fault.kind, expected->kind);
        EXPECT_EQ(fault.lane, bad);
        EXPECT_EQ(fault.address, expected->address);
        EXPECT_EQ(fault.detail, expected->detail);
      }
      EXPECT_EQ(content(), before);
    }
  }
}

}  // namespace
}  // namespace heddle::exec::test
