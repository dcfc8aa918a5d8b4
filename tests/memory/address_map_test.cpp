#include "memory/dram/address_map.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "base/error.h"

namespace heddle::memory {
namespace {

void expect_at(const DramLocation& location, std::uint32_t channel, std::uint32_t bank,
               std::uint64_t row, std::uint32_t offset_in_row) {
  EXPECT_EQ(location.channel, channel);
  EXPECT_EQ(location.bank, bank);
  EXPECT_EQ(location.row, row);
  EXPECT_EQ(location.offset_in_row, offset_in_row);
}

TEST(AddressMap, InterleavesChannels) {
  const AddressMap map({.channels = 6, .interleave_bytes = 256});
  EXPECT_EQ(map.channel_of(0), 0U);
  EXPECT_EQ(map.channel_of(255), 0U);
  EXPECT_EQ(map.channel_of(256), 1U);
  EXPECT_EQ(map.channel_of(6 * 256 - 1), 5U);
  EXPECT_EQ(map.channel_of(6 * 256), 0U);
}

TEST(AddressMap, PacksBlocksOfAChannelIntoItsRow) {
  const AddressMap map({.channels = 6, .interleave_bytes = 256, .banks = 8, .row_bytes = 2048});
  expect_at(map.locate(256 + 7), 1, 0, 0, 7);
  expect_at(map.locate((6 + 1) * 256 + 7), 1, 0, 0, 256 + 7);
  expect_at(map.locate((7 * 6 + 1) * 256 + 255), 1, 0, 0, 2047);
}

TEST(AddressMap, FillsRowsOfAllBanksBeforeTheNextRow) {
  const AddressMap map({.channels = 1, .banks = 4, .row_bytes = 1024});
  expect_at(map.locate(1023), 0, 0, 0, 1023);
  expect_at(map.locate(1024), 0, 1, 0, 0);
  expect_at(map.locate(3 * 1024 + 5), 0, 3, 0, 5);
  expect_at(map.locate(4 * 1024), 0, 0, 1, 0);
}

TEST(AddressMap, HashSpreadsStridedRowsOverBanks) {
  const AddressMap plain({.banks = 8, .row_bytes = 4096});
  const AddressMap hashed({.banks = 8, .row_bytes = 4096, .hash_banks = true});
  std::set<std::uint32_t> plain_banks;
  std::set<std::uint32_t> hashed_banks;
  for (std::uint64_t i = 0; i < 8; ++i) {
    plain_banks.insert(plain.locate(i * 8 * 4096).bank);
    hashed_banks.insert(hashed.locate(i * 8 * 4096).bank);
  }
  EXPECT_EQ(plain_banks.size(), 1U);
  EXPECT_EQ(hashed_banks.size(), 8U);
  // Row 11 = 8 * 1 + 3 is folded to 3 ^ 1. Bank field 6: 6 ^ 3 ^ 1 = 4.
  expect_at(hashed.locate((11 * 8 + 6) * 4096 + 9), 0, 4, 11, 9);
}

TEST(AddressMap, HashSpreadsDistantArraysOverBanks) {
  const AddressMap hashed({.banks = 8, .row_bytes = 4096, .hash_banks = true});
  // 256 KB are 8 rows of all 8 banks, so the row numbers differ by 8 and have the same 3 low bits.
  constexpr std::uint64_t kDistance = 256 * 1024;
  EXPECT_EQ(hashed.locate(0).bank, 0U);
  EXPECT_EQ(hashed.locate(1 * kDistance).bank, 1U);
  EXPECT_EQ(hashed.locate(2 * kDistance).bank, 2U);
  EXPECT_EQ(hashed.locate(7 * kDistance).bank, 7U);
  // Row 8 * 8 = 64 = 0b001'000'000 is folded to 1.
  EXPECT_EQ(hashed.locate(8 * kDistance).bank, 1U);
  // Row 9 * 8 = 72 = 0b001'001'000 is folded to 1 ^ 1 = 0.
  EXPECT_EQ(hashed.locate(9 * kDistance).bank, 0U);
}

std::vector<AddressMapParameters> maps() {
  std::vector<AddressMapParameters> all;
  for (const std::uint32_t channels : {1U, 2U, 5U, 6U, 16U}) {
    for (const std::uint32_t interleave : {64U, 256U, 8192U}) {
      for (const bool hash : {false, true}) {
        all.push_back({.channels = channels,
                       .interleave_bytes = interleave,
                       .banks = 4,
                       .row_bytes = 512,
                       .hash_banks = hash});
      }
    }
  }
  all.push_back({.banks = 1, .row_bytes = 1024, .hash_banks = true});
  return all;
}

TEST(AddressMap, MapsAddressesOneToOne) {
  for (const AddressMapParameters& parameters : maps()) {
    const AddressMap map(parameters);
    // This size is a whole number of rounds over all channels, and of rows in each channel.
    const std::uint64_t bytes = std::uint64_t{parameters.channels} * 8192 * 4;
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t, std::uint32_t>> locations;
    for (std::uint64_t address = 0; address < bytes; address += 32) {
      const DramLocation at = map.locate(address);
      ASSERT_LT(at.channel, parameters.channels);
      ASSERT_LT(at.bank, parameters.banks);
      ASSERT_LT(at.row, 8192 * 4 / (parameters.banks * parameters.row_bytes));
      ASSERT_LT(at.offset_in_row, parameters.row_bytes);
      ASSERT_TRUE(locations.insert({at.channel, at.bank, at.row, at.offset_in_row}).second);
      ASSERT_EQ(map.channel_of(address), at.channel);
    }
    // Every location is used.
    EXPECT_EQ(locations.size(), bytes / 32);
  }
}

TEST(AddressMap, InvertsEveryAddress) {
  std::mt19937_64 random(7);
  for (const AddressMapParameters& parameters : maps()) {
    const AddressMap map(parameters);
    for (int i = 0; i < 2000; ++i) {
      const std::uint64_t address = random() >> (random() % 48);
      ASSERT_EQ(map.address_of(map.locate(address)), address);
    }
  }
}

TEST(AddressMap, RejectsImpossibleParameters) {
  EXPECT_THROW(AddressMap({.channels = 0}), InputError);
  EXPECT_THROW(AddressMap({.interleave_bytes = 0}), InputError);
  EXPECT_THROW(AddressMap({.interleave_bytes = 192}), InputError);
  EXPECT_THROW(AddressMap({.banks = 0}), InputError);
  EXPECT_THROW(AddressMap({.banks = 6}), InputError);
  EXPECT_THROW(AddressMap({.row_bytes = 0}), InputError);
  EXPECT_THROW(AddressMap({.row_bytes = 3000}), InputError);
}

}  // namespace
}  // namespace heddle::memory
