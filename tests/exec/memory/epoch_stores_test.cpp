#include "exec/memory/epoch_stores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "exec/memory/global_memory.h"

namespace heddle::exec {
namespace {

constexpr std::uint64_t kBytes = 1 << 16;

/// Compares the stores of one multiprocessor in an epoch with a map from addresses to the bytes
/// stored.
class EpochStoresTest : public ::testing::Test {
 protected:
  EpochStoresTest() : base_(memory_.allocate(kBytes)) {
    content_ = random_bytes(kBytes);
    memory_.write(base_, content_);
  }

  std::vector<std::byte> random_bytes(std::size_t count) {
    std::vector<std::byte> bytes(count);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random_() & 0xff);
    return bytes;
  }
  /// An aligned address in the first `span` bytes. A small span lets accesses overlap.
  std::uint64_t random_address(std::uint64_t span, std::uint64_t bytes) {
    return base_ + random_() % (span / bytes) * bytes;
  }

  /// Stores random bytes to random addresses, in `stores` and in the model.
  void store_somewhere(EpochStores& stores, std::map<std::uint64_t, std::byte>& model,
                       std::uint64_t span) {
    if (random_() % 4 == 0) {
      const auto bytes = static_cast<std::uint32_t>(1 + random_() % 600);
      const std::uint64_t address = base_ + random_() % (span - bytes);
      const std::vector<std::byte> from = random_bytes(bytes);
      stores.write(address, from.data(), bytes);
      for (std::uint32_t i = 0; i < bytes; ++i) model[address + i] = from[i];
      return;
    }
    const std::uint32_t bytes = 1u << random_() % 7;
    const auto lanes = static_cast<std::uint32_t>(random_());
    const std::vector<std::byte> from = random_bytes(std::size_t{32} * bytes);
    std::array<std::uint64_t, 32> addresses{};
    for (std::uint64_t& address : addresses) address = random_address(span, bytes);
    stores.write_lanes(addresses.data(), lanes, from.data(), bytes);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if ((lanes >> lane & 1) == 0) continue;
      for (std::uint32_t i = 0; i < bytes; ++i) {
        model[addresses[lane] + i] = from[std::size_t{lane} * bytes + i];
      }
    }
  }

  std::byte expected_byte(const std::map<std::uint64_t, std::byte>& model, std::uint64_t address) {
    const auto stored = model.find(address);
    return stored == model.end() ? content_[address - base_] : stored->second;
  }

  std::mt19937 random_{23};
  GlobalMemory memory_{{.capacity = std::uint64_t{1} << 20}};
  std::uint64_t base_;
  std::vector<std::byte> content_;
};

TEST_F(EpochStoresTest, LoadsMergeStoresAndMemory) {
  EpochStores stores;
  for (const std::uint64_t span : {std::uint64_t{1024}, kBytes}) {
    for (int epoch = 0; epoch < 20; ++epoch) {
      std::map<std::uint64_t, std::byte> model;
      for (int i = 0; i < 12; ++i) {
        store_somewhere(stores, model, span);
        const auto length = static_cast<std::uint32_t>(1 + random_() % 700);
        const std::uint64_t begin = base_ + random_() % (span - length);
        std::vector<std::byte> range(length);
        stores.read(memory_, begin, range.data(), length);
        for (std::uint32_t k = 0; k < length; ++k) {
          ASSERT_EQ(range[k], expected_byte(model, begin + k));
        }
        const std::uint32_t bytes = 1u << random_() % 7;
        const auto lanes = static_cast<std::uint32_t>(random_());
        std::array<std::uint64_t, 32> addresses{};
        for (std::uint64_t& address : addresses) address = random_address(span, bytes);
        std::vector<std::byte> values(std::size_t{32} * bytes);
        stores.read_lanes(memory_, addresses.data(), lanes, values.data(), bytes);
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
          for (std::uint32_t k = 0; k < bytes; ++k) {
            ASSERT_EQ(values[std::size_t{lane} * bytes + k],
                      (lanes >> lane & 1) != 0 ? expected_byte(model, addresses[lane] + k)
                                               : std::byte{0});
          }
        }
      }
      std::vector<std::byte> unchanged(kBytes);
      memory_.read(base_, unchanged);
      ASSERT_EQ(unchanged, content_) << "stores must not reach memory before the epoch ends";
      stores.clear();
      ASSERT_TRUE(stores.empty());
    }
  }
}

TEST_F(EpochStoresTest, FilterHasNoFalseNegatives) {
  EpochStores stores;
  for (int epoch = 0; epoch < 20; ++epoch) {
    std::map<std::uint64_t, std::byte> model;
    for (int i = 0; i < 1 + epoch; ++i) store_somewhere(stores, model, kBytes);
    for (int i = 0; i < 200; ++i) {
      std::array<std::uint64_t, 32> addresses{};
      bool has_store = false;
      const bool are_close = random_() % 2 == 0;
      const std::uint64_t near = random_address(kBytes - 4096, 4);
      for (std::uint64_t& address : addresses) {
        address = are_close ? near + random_() % 1024 * 4 : random_address(kBytes, 4);
        has_store = has_store || model.contains(address);
      }
      if (has_store) {
        ASSERT_TRUE(stores.filter().may_have_any(addresses.data()));
      }
      const auto next_store = model.lower_bound(near);
      if (next_store != model.end() && next_store->first < near + 512) {
        ASSERT_TRUE(stores.filter().may_have_range(near, 512));
      }
    }
    stores.clear();
  }
}

TEST_F(EpochStoresTest, FilterDistinguishesArrays) {
  EpochStores stores;
  const std::byte value{1};
  for (std::uint64_t line = 0; line < 64; ++line) stores.write(base_ + line * 128, &value, 1);
  const StoreFilter& filter = stores.filter();
  EXPECT_TRUE(filter.may_have_range(base_ + 63 * 128, 128));
  EXPECT_FALSE(filter.may_have_range(base_ + 64 * 128, 4096)) << "the array after it has no stores";
  std::array<std::uint64_t, 32> addresses{};
  for (std::uint64_t lane = 0; lane < 32; ++lane) addresses[lane] = base_ + 8192 + lane * 64;
  EXPECT_FALSE(filter.may_have_any(addresses.data()));
  for (std::uint64_t& address : addresses) address -= 16384;
  EXPECT_FALSE(filter.may_have_any(addresses.data())) << "the array before it has no stores";
  // These addresses are between the stores.
  stores.write(base_ + 40000, &value, 1);
  for (std::uint64_t lane = 0; lane < 32; ++lane) addresses[lane] = base_ + 16384 + lane * 256;
  EXPECT_FALSE(filter.may_have_any(addresses.data()));
  addresses[17] = base_ + 40000;
  EXPECT_TRUE(filter.may_have_any(addresses.data()));
}

TEST_F(EpochStoresTest, FilterIsEmptyWithoutStores) {
  EpochStores stores;
  std::array<std::uint64_t, 32> addresses{};
  addresses.fill(base_);
  EXPECT_FALSE(stores.filter().may_have_any(addresses.data()));
  EXPECT_FALSE(stores.filter().may_have_range(base_, kBytes));
  const std::byte value{1};
  stores.write(base_, &value, 1);
  EXPECT_TRUE(stores.filter().may_have_any(addresses.data()));
  stores.clear();
  EXPECT_FALSE(stores.filter().may_have_any(addresses.data()));
}

// A share is a part of all lines, which one host thread commits.
TEST_F(EpochStoresTest, CommitOrderIsIndependentOfShares) {
  for (const std::uint32_t shares : {1u, 2u, 3u, 8u}) {
    std::array<EpochStores, 3> stores;
    std::array<std::map<std::uint64_t, std::byte>, 3> models;
    for (std::size_t i = 0; i < stores.size(); ++i) {
      for (int k = 0; k < 10; ++k) store_somewhere(stores[i], models[i], 4096);
    }
    for (std::uint32_t share = shares; share-- > 0;) {
      for (const EpochStores& each : stores) each.commit(memory_, share, shares);
    }
    for (const auto& model : models) {
      for (const auto& [address, value] : model) content_[address - base_] = value;
    }
    std::vector<std::byte> committed(kBytes);
    memory_.read(base_, committed);
    ASSERT_EQ(committed, content_);
  }
}

TEST_F(EpochStoresTest, SharesAreBalancedForEveryStride) {
  for (const std::uint64_t stride : {1u, 2u, 8u, 16u, 64u}) {
    EpochStores stores;
    GlobalMemory memory({.capacity = std::uint64_t{1} << 26});
    const std::uint64_t array = memory.allocate(512 * stride * 128);
    const std::byte one{1};
    for (std::uint64_t i = 0; i < 512; ++i) stores.write(array + i * stride * 128, &one, 1);
    std::size_t before = 0;
    for (std::uint32_t share = 0; share < 4; ++share) {
      stores.commit(memory, share, 4);
      std::size_t written = 0;
      for (std::uint64_t i = 0; i < 512; ++i) {
        if (*memory.host(array + i * stride * 128) == one) ++written;
      }
      EXPECT_GT(written - before, 64u) << "expected about 128 lines in each share";
      before = written;
    }
    EXPECT_EQ(before, 512u);
  }
}

TEST_F(EpochStoresTest, SmallStorePreservesNeighbouringBytes) {
  EpochStores stores;
  const std::array<std::byte, 3> values{std::byte{0xa}, std::byte{0xb}, std::byte{0xc}};
  stores.write(base_ + 126, values.data(), 3);
  EXPECT_EQ(stores.line_count(), 2u) << "the store crosses the end of a line";
  stores.commit(memory_);
  content_[126] = values[0];
  content_[127] = values[1];
  content_[128] = values[2];
  std::vector<std::byte> committed(kBytes);
  memory_.read(base_, committed);
  EXPECT_EQ(committed, content_);
}

TEST_F(EpochStoresTest, HighestLaneWinsForSameAddress) {
  EpochStores stores;
  std::array<std::uint64_t, 32> addresses{};
  addresses.fill(base_ + 4);
  std::array<std::uint32_t, 32> values{};
  for (std::uint32_t lane = 0; lane < 32; ++lane) values[lane] = lane;
  stores.write_lanes(addresses.data(), 0x00ff0000,
                     reinterpret_cast<const std::byte*>(values.data()), 4);
  std::uint32_t seen = 0;
  stores.read(memory_, base_ + 4, reinterpret_cast<std::byte*>(&seen), 4);
  EXPECT_EQ(seen, 23u);
}

}  // namespace
}  // namespace heddle::exec
