#include <map>
#include <utility>

#include "exec/memory/memory_fixture.h"

namespace heddle::exec::test {
namespace {

using code::Operand;
using code::Space;

/// A form of loads and stores.
struct Form {
  Space space;
  int address_width;      ///< The number of address registers; 0: only an offset.
  bool outgoing = false;  ///< Whether the address is in the area of arguments for a call.
};

// The frame of the running function in local memory, in bytes.
constexpr std::uint32_t kFrameBase = 64;
constexpr std::uint32_t kFrameTop = 192;
// Registers: the address and the first value.
constexpr std::uint32_t kAddress = 0;
constexpr std::uint32_t kValues = 8;

constexpr Form kForms[] = {
    {Space::global, 2},    {Space::constant, 2},    {Space::generic, 2},   {Space::shared, 1},
    {Space::shared, 2},    {Space::shared, 0},      {Space::local, 1},     {Space::local, 2},
    {Space::local, 0},     {Space::local, 0, true}, {Space::parameter, 0}, {Space::parameter, 1},
    {Space::parameter, 2},
};

constexpr ValueType kTypes[] = {ValueType::u8,  ValueType::s8,  ValueType::b8,    ValueType::u16,
                                ValueType::s16, ValueType::f16, ValueType::u32,   ValueType::s32,
                                ValueType::f32, ValueType::u64, ValueType::f16x2, ValueType::f64};

enum class Pattern { unit_stride, broadcast, scattered, mixed };

class LoadStoreTest : public MemoryTest {
 protected:
  LoadStoreTest() {
    buffer_ = allocate_random(4096, {.name = "first"});
    second_buffer_ = allocate_random(4096, {.name = "second"});
    harness.context.frame_base = kFrameBase;
    harness.context.frame_top = kFrameTop;
  }

  /// The first address of a space, and the number of bytes accessible from there.
  std::pair<std::uint64_t, std::uint64_t> extent(Space space) {
    switch (space) {
      case Space::shared:
        return {0, kSharedBytes};
      case Space::local:
        return {0, kLocalBytes};
      case Space::parameter:
        return {0, kParameterBytes};
      default:
        return {buffer_, 4096};
    }
  }

  /// The byte at a lane's address.
  std::byte* byte_at(Space space, int lane, std::uint64_t address) {
    if (space == Space::generic) {
      if (address >= kGlobalBase) return memory.host(address);
      if (address >= kLocalWindow) return &local_byte(lane, address - kLocalWindow);
      return &shared_byte(address - kSharedWindow);
    }
    if (space == Space::shared) return &shared_byte(address);
    if (space == Space::local) return &local_byte(lane, address);
    return memory.host(address);
  }
  std::byte read_byte(Space space, int lane, std::uint64_t address) {
    return space == Space::parameter ? parameter_byte(address) : *byte_at(space, lane, address);
  }

  /// Chooses addresses for all lanes, aligned to `bytes`, and sets the instruction's registers and
  /// offset accordingly.
  void choose_addresses(const Form& form, Pattern pattern, std::uint32_t bytes,
                        code::Instruction& instruction) {
    auto [begin, size] = extent(form.space);
    const auto offset = static_cast<std::int64_t>(static_cast<std::int32_t>(random() % 64) - 32) *
                        static_cast<std::int64_t>(bytes);
    const bool has_register = form.address_width != 0;
    const std::uint64_t places = size / bytes;
    const std::uint64_t start = random() % places;
    for (int lane = 0; lane < 32; ++lane) {
      std::uint64_t place = 0;
      switch (pattern) {
        case Pattern::unit_stride:
          place = places > 32 ? start % (places - 31) + static_cast<unsigned>(lane) : start;
          break;
        case Pattern::broadcast:
          place = start;
          break;
        default:
          place = random() % places;
          break;
      }
      if (!has_register) place = start;
      std::uint64_t address = begin + place * bytes;
      if (pattern == Pattern::mixed && form.space == Space::generic) {
        switch (random() % 4) {
          case 0:
            address = kSharedWindow + random() % (kSharedBytes / bytes) * bytes;
            break;
          case 1:
            address = kLocalWindow + random() % (kLocalBytes / bytes) * bytes;
            break;
          case 2:
            address = second_buffer_ + random() % (4096 / bytes) * bytes;
            break;
          default:
            break;
        }
      } else if (pattern == Pattern::mixed && begin == buffer_ && random() % 2 == 0) {
        address = second_buffer_ + (address - buffer_);
      }
      address_[static_cast<std::size_t>(lane)] = address;
      if (form.address_width == 1) {
        harness.set<std::uint32_t>(
            kAddress, lane,
            static_cast<std::uint32_t>(address) - static_cast<std::uint32_t>(offset));
      } else if (form.address_width == 2) {
        std::uint64_t value = address - static_cast<std::uint64_t>(offset);
        // The bits above the 32 bits of a shared or local address are ignored.
        if (form.space == Space::shared || form.space == Space::local) {
          value += std::uint64_t{random()} << 32;
        }
        harness.set<std::uint64_t>(kAddress, lane, value);
      }
    }
    if (has_register) {
      instruction.offset = offset;
      return;
    }
    instruction.offset = static_cast<std::int64_t>(address_[0]);
    if (form.space == Space::local) {
      instruction.outgoing = form.outgoing;
      instruction.offset -= form.outgoing ? kFrameTop : kFrameBase;
    }
  }

  Operand address_operand(const Form& form) {
    return form.address_width == 0 ? Operand::none() : Operand::reg(kAddress, form.address_width);
  }

  std::uint64_t buffer_ = 0;
  std::uint64_t second_buffer_ = 0;
  std::array<std::uint64_t, 32> address_{};
};

TEST_F(LoadStoreTest, LoadsExtendValuesToRegisterWidth) {
  int load_count = 0;
  for (const VectorUnit& unit : vector_units()) {
    for (const Form& form : kForms) {
      for (const ValueType type : kTypes) {
        const int size = size_of(type);
        for (const int width : {1, 2}) {
          if (size > width * 4) continue;
          for (const int count : {1, 2, 4, 8}) {
            if (size * count > 32) continue;
            for (const Pattern pattern :
                 {Pattern::unit_stride, Pattern::broadcast, Pattern::scattered, Pattern::mixed}) {
              harness.reset();
              code::Instruction load =
                  make_load(form.space, type, width, count, address_operand(form), kValues);
              const auto bytes = static_cast<std::uint32_t>(size * count);
              choose_addresses(form, pattern, bytes, load);
              if (count > 1 && random() % 4 == 0) load.destinations[1] = Operand::none();
              harness.context.active =
                  random() % 2 == 0 ? ~0U : static_cast<std::uint32_t>(random());
              ASSERT_TRUE(harness.execute(load, unit));
              ++load_count;
              for (int lane = 0; lane < 32; ++lane) {
                const bool active = (harness.context.active >> lane & 1) != 0;
                const auto index = static_cast<std::size_t>(lane);
                ASSERT_TRUE(!active || harness.context.address()[index] == address_[index]);
                for (int k = 0; k < count; ++k) {
                  const auto reg = kValues + static_cast<std::uint32_t>(k * width);
                  std::uint64_t expected = 0;
                  for (int b = 0; b < size; ++b) {
                    const auto byte = static_cast<std::uint64_t>(
                        read_byte(form.space, lane,
                                  address_[index] + static_cast<std::uint64_t>(k * size + b)));
                    expected |= byte << (8 * b);
                  }
                  if (is_signed_integer(type) && (expected >> (8 * size - 1) & 1) != 0 &&
                      size < 8) {
                    expected |= ~std::uint64_t{0} << (8 * size);
                  }
                  const bool is_loaded =
                      active && load.destinations[static_cast<std::size_t>(k)].present();
                  const std::uint32_t low =
                      is_loaded ? static_cast<std::uint32_t>(expected) : kUntouched;
                  ASSERT_EQ(harness.word(reg, lane), low)
                      << unit.name << " lane " << lane << " element " << k << " type "
                      << name_of(type) << " space " << static_cast<int>(form.space);
                  if (width == 2) {
                    ASSERT_EQ(harness.word(reg + 1, lane),
                              is_loaded ? static_cast<std::uint32_t>(expected >> 32) : kUntouched);
                  }
                }
                ASSERT_EQ(harness.word(kValues + static_cast<std::uint32_t>(count * width), lane),
                          kUntouched);
              }
            }
          }
        }
      }
    }
  }
  EXPECT_GT(load_count, 1000);
}

TEST_F(LoadStoreTest, StoresWriteActiveLanesAndHighestLaneWins) {
  for (const VectorUnit& unit : vector_units()) {
    for (const Form& form : kForms) {
      if (form.space == Space::parameter || form.space == Space::constant) continue;
      for (const ValueType type : kTypes) {
        const int size = size_of(type);
        for (const int width : {1, 2}) {
          if (size > width * 4) continue;
          for (const int count : {1, 2, 4, 8}) {
            if (size * count > 32) continue;
            for (const Pattern pattern :
                 {Pattern::unit_stride, Pattern::broadcast, Pattern::scattered, Pattern::mixed}) {
              harness.reset();
              code::Instruction store =
                  make_store(form.space, type, width, count, address_operand(form), kValues);
              const auto bytes = static_cast<std::uint32_t>(size * count);
              choose_addresses(form, pattern, bytes, store);
              harness.context.active =
                  random() % 2 == 0 ? ~0U : static_cast<std::uint32_t>(random());
              for (std::uint32_t reg = kValues; reg < kValues + 16; ++reg) {
                for (int lane = 0; lane < 32; ++lane) {
                  harness.set<std::uint32_t>(reg, lane, static_cast<std::uint32_t>(random()));
                }
              }
              // The expected bytes, by their location in the host's memory.
              std::map<std::byte*, std::byte> expected;
              for (int lane = 0; lane < 32; ++lane) {
                const std::uint64_t address = address_[static_cast<std::size_t>(lane)];
                for (int k = 0; k < count; ++k) {
                  const auto reg = kValues + static_cast<std::uint32_t>(k * width);
                  for (int b = 0; b < size; ++b) {
                    std::byte* const place = byte_at(
                        form.space, lane, address + static_cast<std::uint64_t>(k * size + b));
                    const std::uint32_t word =
                        harness.word(reg + static_cast<std::uint32_t>(b / 4), lane);
                    if ((harness.context.active >> lane & 1) != 0) {
                      expected[place] = static_cast<std::byte>(word >> (b % 4 * 8));
                    } else {
                      expected.try_emplace(place, *place);
                    }
                  }
                }
              }
              ASSERT_TRUE(harness.execute(store, unit));
              for (const auto& [place, byte] : expected) {
                ASSERT_EQ(*place, byte) << unit.name << " type " << name_of(type) << " space "
                                        << static_cast<int>(form.space);
              }
            }
          }
        }
      }
    }
  }
}

TEST_F(LoadStoreTest, StoresPreserveOtherBytes) {
  for (const VectorUnit& unit : vector_units()) {
    std::vector<std::byte> before(4096);
    memory.read(buffer_, before);
    code::Instruction store =
        make_store(Space::global, ValueType::u8, 1, 1, Operand::reg(kAddress, 2), kValues);
    for (int lane = 0; lane < 32; ++lane) {
      harness.set<std::uint64_t>(kAddress, lane, buffer_ + static_cast<unsigned>(lane) * 3);
      harness.set<std::uint32_t>(kValues, lane, 0xabcdef00U + static_cast<unsigned>(lane));
    }
    ASSERT_TRUE(harness.execute(store, unit));
    std::vector<std::byte> after(4096);
    memory.read(buffer_, after);
    for (std::size_t i = 0; i < after.size(); ++i) {
      const bool is_written = i % 3 == 0 && i < 96;
      ASSERT_EQ(after[i], is_written ? static_cast<std::byte>(i / 3) : before[i]) << i;
    }
  }
}

TEST_F(LoadStoreTest, LoadMayOverwriteItsAddressRegister) {
  for (const VectorUnit& unit : vector_units()) {
    for (int lane = 0; lane < 32; ++lane) {
      harness.set<std::uint64_t>(kAddress, lane,
                                 buffer_ + static_cast<unsigned>(lane * 7 % 32) * 8);
    }
    code::Instruction load =
        make_load(Space::global, ValueType::u32, 1, 2, Operand::reg(kAddress, 2), kAddress);
    ASSERT_TRUE(harness.execute(load, unit));
    for (int lane = 0; lane < 32; ++lane) {
      std::array<std::uint32_t, 2> expected{};
      memory.read(buffer_ + static_cast<unsigned>(lane * 7 % 32) * 8,
                  std::as_writable_bytes(std::span(expected)));
      EXPECT_EQ(harness.word(kAddress, lane), expected[0]);
      EXPECT_EQ(harness.word(kAddress + 1, lane), expected[1]);
    }
  }
}

TEST_F(LoadStoreTest, SupportsImmediateAddressesAnd64BitOffsets) {
  for (const VectorUnit& unit : vector_units()) {
    std::uint32_t expected = 0;
    memory.read(buffer_ + 8, std::as_writable_bytes(std::span(&expected, 1)));
    for (const auto& [address, offset] : std::vector<std::pair<Operand, std::int64_t>>{
             {Operand::immediate(buffer_, 2), 8},
             {Operand::immediate(buffer_, 1), 8},
             {Operand::none(), static_cast<std::int64_t>(buffer_ + 8)},
             {Operand::immediate(8, 2), static_cast<std::int64_t>(buffer_)}}) {
      code::Instruction load = make_load(Space::global, ValueType::u32, 1, 1, address, kValues);
      load.offset = offset;
      harness.reset();
      ASSERT_TRUE(harness.execute(load, unit));
      for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(harness.word(kValues, lane), expected);
    }
  }
}

TEST_F(LoadStoreTest, SharedAddressesWrapAroundIn32Bits) {
  for (const VectorUnit& unit : vector_units()) {
    code::Instruction load =
        make_load(Space::shared, ValueType::u8, 1, 1, Operand::reg(kAddress, 1), kValues);
    load.offset = 4;
    for (int lane = 0; lane < 32; ++lane) {
      harness.set<std::uint32_t>(kAddress, lane, 0xfffffffcU + static_cast<unsigned>(lane));
    }
    ASSERT_TRUE(harness.execute(load, unit));
    for (int lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(harness.word(kValues, lane),
                static_cast<std::uint32_t>(shared_byte(static_cast<unsigned>(lane))));
    }
  }
}

TEST_F(LoadStoreTest, SpillSlotsKeepWordsOfActiveLanes) {
  harness.context.frame_base = kFrameBase;
  for (const VectorUnit& unit : vector_units()) {
    for (const ValueType type : {ValueType::b32, ValueType::b64}) {
      const int registers = size_of(type) / 4;
      for (const std::uint32_t mask : interesting_masks()) {
        harness.reset();
        code::Instruction save;
        save.operation = code::Operation::store_local_slot;
        save.type = type;
        save.offset = 24;
        save.sources.push_back(Operand::reg(kValues, registers));
        code::Instruction restore;
        restore.operation = code::Operation::load_local_slot;
        restore.type = type;
        restore.offset = 24;
        restore.destinations.push_back(Operand::reg(kValues + 4, registers));
        std::array<std::array<std::byte, 8>, 32> before{};
        for (int lane = 0; lane < 32; ++lane) {
          for (std::uint64_t b = 0; b < 8; ++b) {
            before[static_cast<std::size_t>(lane)][b] = local_byte(lane, kFrameBase + 24 + b);
          }
          harness.set<std::uint64_t>(kValues, lane, std::uint64_t{random()} << 32 | random());
        }
        harness.context.active = mask;
        ASSERT_TRUE(harness.execute(save, unit));
        ASSERT_TRUE(harness.execute(restore, unit));
        for (int lane = 0; lane < 32; ++lane) {
          const bool active = (mask >> lane & 1) != 0;
          for (std::uint32_t r = 0; r < 2; ++r) {
            const bool is_copied = active && r < static_cast<std::uint32_t>(registers);
            EXPECT_EQ(harness.word(kValues + 4 + r, lane),
                      is_copied ? harness.word(kValues + r, lane) : kUntouched);
            for (std::uint32_t b = 0; b < 4; ++b) {
              const auto value = static_cast<std::byte>(harness.word(kValues + r, lane) >> (8 * b));
              EXPECT_EQ(local_byte(lane, kFrameBase + 24 + r * 4 + b),
                        is_copied ? value : before[static_cast<std::size_t>(lane)][r * 4 + b]);
            }
          }
        }
      }
    }
  }
}

TEST_F(LoadStoreTest, RejectsFormsThatDoNotExist) {
  const VectorUnit& unit = vector_units().front();
  EXPECT_EQ(
      unit.select_handler(make_load(Space::global, ValueType::b128, 2, 1, Operand::reg(0, 2), 8)),
      nullptr);
  EXPECT_EQ(
      unit.select_handler(make_load(Space::global, ValueType::u64, 1, 1, Operand::reg(0, 2), 8)),
      nullptr);
  EXPECT_EQ(
      unit.select_handler(make_load(Space::global, ValueType::u32, 1, 3, Operand::reg(0, 2), 8)),
      nullptr);
  EXPECT_EQ(
      unit.select_handler(make_store(Space::global, ValueType::u64, 1, 1, Operand::reg(0, 2), 8)),
      nullptr);
}

}  // namespace
}  // namespace heddle::exec::test
