// Loads and stores of a timed run. The run proceeds in epochs, during which multiprocessors
// exchange no messages. A warp sees its own stores at once, but memory changes only when the
// epoch's stores are committed. The tests compare with a model that has a byte for each byte of
// memory.

#include "exec/memory/epoch_stores.h"
#include "exec/memory/memory_fixture.h"

namespace heddle::exec::test {
namespace {

using code::Operand;
using code::Space;

// Registers: the address and the first value.
constexpr std::uint32_t kAddress = 0;
constexpr std::uint32_t kValues = 8;
constexpr std::uint64_t kBytes = 2048;

constexpr ValueType kTypes[] = {ValueType::u8,  ValueType::s8,  ValueType::u16, ValueType::s16,
                                ValueType::u32, ValueType::s32, ValueType::u64, ValueType::f64};

class EpochAccessTest : public MemoryTest {
 protected:
  EpochAccessTest() : buffer_(allocate_random(kBytes)), model_(kBytes) {
    memory.read(buffer_, model_);
    harness.context.memory.stores = &stores_;
  }

  enum class Pattern { unit_stride, uniform, scattered, with_shared };
  static constexpr Pattern kPatterns[] = {Pattern::unit_stride, Pattern::uniform,
                                          Pattern::scattered, Pattern::with_shared};

  void choose_addresses(Space space, Pattern pattern, std::uint32_t bytes) {
    const std::uint64_t places = kBytes / bytes;
    const std::uint64_t start = random() % places;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      std::uint64_t place = random() % places;
      if (pattern == Pattern::uniform) place = start;
      if (pattern == Pattern::unit_stride) {
        place = (places > 32 ? start % (places - 31) : 0) + lane % places;
      }
      address_[lane] = buffer_ + place * bytes;
      if (pattern == Pattern::with_shared && space == Space::generic && random() % 2 == 0) {
        address_[lane] = kSharedWindow + random() % (kSharedBytes / bytes) * bytes;
      }
      harness.set<std::uint64_t>(kAddress, static_cast<int>(lane), address_[lane]);
    }
  }
  std::byte& model_byte(std::uint64_t address) {
    return address >= kGlobalBase ? model_[address - buffer_]
                                  : shared_byte(address - kSharedWindow);
  }

  void store(Space space, ValueType type, int count, Pattern pattern, const VectorUnit& unit) {
    const auto size = static_cast<std::uint32_t>(size_of(type));
    const int width = size == 8 ? 2 : 1;
    harness.reset();
    harness.context.active = interesting_masks()[random() % interesting_masks().size()];
    choose_addresses(space, pattern, size * static_cast<std::uint32_t>(count));
    for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(count * width); ++k) {
      for (int lane = 0; lane < 32; ++lane) {
        harness.set<std::uint32_t>(kValues + k, lane, static_cast<std::uint32_t>(random()));
      }
    }
    ASSERT_TRUE(harness.execute(
        make_store(space, type, width, count, Operand::reg(kAddress, 2), kValues), unit));
    for (int lane = 0; lane < 32; ++lane) {
      if ((harness.context.active >> lane & 1) == 0) continue;
      const std::uint64_t address = address_[static_cast<std::size_t>(lane)];
      ASSERT_EQ(harness.context.address()[static_cast<std::size_t>(lane)], address);
      for (std::uint32_t i = 0; i < size * static_cast<std::uint32_t>(count); ++i) {
        const std::uint32_t element = i / size;
        const std::uint32_t word =
            kValues + element * static_cast<std::uint32_t>(width) + i % size / 4;
        model_byte(address + i) =
            static_cast<std::byte>(harness.word(word, lane) >> (i % size % 4 * 8) & 0xff);
      }
    }
  }

  void load(Space space, ValueType type, int width, int count, Pattern pattern,
            const VectorUnit& unit) {
    const auto size = static_cast<std::uint32_t>(size_of(type));
    harness.reset();
    harness.context.active = interesting_masks()[random() % interesting_masks().size()];
    choose_addresses(space, pattern, size * static_cast<std::uint32_t>(count));
    ASSERT_TRUE(harness.execute(
        make_load(space, type, width, count, Operand::reg(kAddress, 2), kValues), unit));
    for (int lane = 0; lane < 32; ++lane) {
      const std::uint64_t address = address_[static_cast<std::size_t>(lane)];
      for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(count); ++k) {
        const std::uint32_t out = kValues + k * static_cast<std::uint32_t>(width);
        std::uint64_t expected = kUntouched | std::uint64_t{kUntouched} << 32;
        if ((harness.context.active >> lane & 1) != 0) {
          expected = 0;
          for (std::uint32_t i = 0; i < size; ++i) {
            expected |= std::to_integer<std::uint64_t>(model_byte(address + k * size + i))
                        << (i * 8);
          }
          const int unused = 64 - static_cast<int>(size) * 8;
          if (is_signed_integer(type)) {
            expected =
                static_cast<std::uint64_t>(static_cast<std::int64_t>(expected << unused) >> unused);
          }
        }
        ASSERT_EQ(harness.word(out, lane), static_cast<std::uint32_t>(expected));
        if (width == 2) {
          ASSERT_EQ(harness.word(out + 1, lane), static_cast<std::uint32_t>(expected >> 32));
        }
      }
    }
  }

  EpochStores stores_;
  std::uint64_t buffer_;
  std::vector<std::byte> model_;
  std::array<std::uint64_t, 32> address_{};
};

TEST_F(EpochAccessTest, WarpSeesItsStoresBeforeTheyAreCommitted) {
  for (const VectorUnit& unit : vector_units()) {
    for (int epoch = 0; epoch < 40; ++epoch) {
      std::vector<std::byte> before(kBytes);
      memory.read(buffer_, before);
      for (int i = 0; i < 25; ++i) {
        const Space space = random() % 2 == 0 ? Space::global : Space::generic;
        const ValueType type = kTypes[random() % std::size(kTypes)];
        const Pattern pattern = kPatterns[random() % std::size(kPatterns)];
        const int size = size_of(type);
        const int count = 1 << random() % (size == 8 ? 2 : 3);
        if (random() % 2 == 0) {
          ASSERT_NO_FATAL_FAILURE(store(space, type, count, pattern, unit));
        } else {
          const int width = size == 8 || (size < 8 && random() % 3 == 0) ? 2 : 1;
          ASSERT_NO_FATAL_FAILURE(load(space, type, width, count, pattern, unit));
        }
      }
      std::vector<std::byte> after(kBytes);
      memory.read(buffer_, after);
      ASSERT_EQ(after, before);
      stores_.commit(memory);
      stores_.clear();
      memory.read(buffer_, after);
      ASSERT_EQ(after, model_);
    }
  }
}

TEST_F(EpochAccessTest, SupportsAddressesWithoutRegister) {
  // PTX code for a module variable has the whole address in the instruction.
  for (const VectorUnit& unit : vector_units()) {
    harness.reset();
    for (int lane = 0; lane < 32; ++lane) harness.set<std::uint32_t>(kValues, lane, 77);
    code::Instruction store =
        make_store(Space::global, ValueType::u32, 1, 1, Operand::none(), kValues);
    store.offset = static_cast<std::int64_t>(buffer_ + 8);
    ASSERT_TRUE(harness.execute(store, unit));
    code::Instruction load =
        make_load(Space::global, ValueType::u32, 1, 1, Operand::none(), kValues + 1);
    load.offset = store.offset;
    ASSERT_TRUE(harness.execute(load, unit));
    EXPECT_EQ(harness.word(kValues + 1, 5), 77u);
    EXPECT_EQ(std::memcmp(memory.host(buffer_ + 8), &model_[8], 4), 0);
    stores_.clear();
  }
}

TEST_F(EpochAccessTest, FaultingStoreStoresNothing) {
  for (const VectorUnit& unit : vector_units()) {
    harness.reset();
    for (int lane = 0; lane < 32; ++lane) {
      harness.set<std::uint64_t>(kAddress, lane,
                                 buffer_ + (lane == 31 ? kBytes : static_cast<unsigned>(lane) * 4));
    }
    const auto fault = fault_of(
        make_store(Space::global, ValueType::u32, 1, 1, Operand::reg(kAddress, 2), kValues), unit);
    ASSERT_TRUE(fault.has_value());
    EXPECT_EQ(fault->kind, FaultKind::out_of_bounds);
    EXPECT_EQ(fault->lane, 31);
    EXPECT_TRUE(stores_.empty());
  }
}

TEST_F(EpochAccessTest, WritesSharedAndLocalMemoryAtOnce) {
  for (const VectorUnit& unit : vector_units()) {
    for (const Space space : {Space::shared, Space::local}) {
      harness.reset();
      for (int lane = 0; lane < 32; ++lane) {
        harness.set<std::uint64_t>(kAddress, lane, static_cast<unsigned>(lane) * 4);
        harness.set<std::uint32_t>(kValues, lane, 0x11111111u * static_cast<unsigned>(lane % 8));
      }
      ASSERT_TRUE(harness.execute(
          make_store(space, ValueType::u32, 1, 1, Operand::reg(kAddress, 2), kValues), unit));
      const std::byte byte = space == Space::shared ? shared_byte(20) : local_byte(5, 20);
      EXPECT_EQ(byte, std::byte{0x55});
      EXPECT_TRUE(stores_.empty());
    }
  }
}

}  // namespace
}  // namespace heddle::exec::test
