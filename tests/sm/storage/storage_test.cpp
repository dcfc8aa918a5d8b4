// The sizes that storage policies choose. The numbers are computed by hand.

#include "sm/storage/storage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "configure.h"
#include "sm/residency/residency.h"
#include "sm/sm_description.h"
#include "sm/storage/launch_sizes.h"

namespace heddle::sm {
namespace {

using ::testing::HasSubstr;

constexpr std::uint32_t kKilobyte = 1024;

/// A multiprocessor with 48 warps, 8 blocks and 32768 registers. Its scratchpad has at most 48 KB
/// and its L1 at least 16 KB, in sets of 512 bytes.
SmDescription multiprocessor(std::initializer_list<std::string_view> settings) {
  SmDescription sm = configure<SmDescription>(settings);
  sm.check();
  return sm;
}

TEST(FixedStorage, GivesEveryLaunchTheSizesOfTheParameters) {
  const SmDescription sm =
      multiprocessor({"sm.registers=4096", "sm.shared_bytes=32K", "l1.bytes=8K"});
  const StorageSizes expected{
      .registers = 4096, .shared_bytes = 32 * kKilobyte, .l1_bytes = 8 * kKilobyte};
  EXPECT_EQ(sizes_for(sm, {.warps = 1}), expected);
  EXPECT_EQ(sizes_for(sm, {.warps = 8, .registers_per_thread = 16, .shared_bytes = 20000}),
            expected);
}

struct CarveOutRow {
  BlockNeeds needs;
  std::uint32_t shared_kilobytes;  ///< The rest of 64 KB is L1.
};

void expect_sizes(const SmDescription& sm, const std::vector<CarveOutRow>& rows) {
  for (const CarveOutRow& row : rows) {
    const StorageSizes sizes = sizes_for(sm, row.needs);
    EXPECT_EQ(sizes.shared_bytes, row.shared_kilobytes * kKilobyte) << row.needs.shared_bytes;
    EXPECT_EQ(sizes.l1_bytes, (64 - row.shared_kilobytes) * kKilobyte) << row.needs.shared_bytes;
    EXPECT_EQ(sizes.registers, sm.residency.registers);
  }
}

TEST(CarveOut, GivesSmallestScratchpadThatHoldsAllBlocks) {
  expect_sizes(
      multiprocessor({"storage.policy=carve-out"}),
      {{{.warps = 1}, 0},
       // Shared memory is allocated in units of 128 bytes.
       {{.warps = 1, .shared_bytes = 1000}, 8},                               // 8 blocks, 1024 each
       {{.warps = 1, .shared_bytes = 1025}, 16},                              // 8 blocks, 1152 each
       {{.warps = 24, .shared_bytes = 4096}, 8},                              // 2 blocks by warps
       {{.warps = 8, .registers_per_thread = 63, .shared_bytes = 4096}, 8},   // 2 by registers
       {{.warps = 8, .registers_per_thread = 40, .shared_bytes = 4096}, 16},  // 3 by registers
       {{.warps = 1, .shared_bytes = 20000}, 40},                             // 2, 20096 each
       {{.warps = 1, .shared_bytes = 48 * kKilobyte}, 48}});
}

TEST(CarveOut, OffersTheTwoSizesOfFermi) {
  expect_sizes(
      multiprocessor({"storage.policy=carve-out", "storage.least_shared=16K", "storage.step=32K"}),
      {{{.warps = 1}, 16},
       {{.warps = 1, .shared_bytes = 2048}, 16},
       {{.warps = 1, .shared_bytes = 2049}, 48}});
}

TEST(CarveOut, OffersLargestScratchpadEvenIfItIsNoWholeStepLarger) {
  expect_sizes(
      multiprocessor({"storage.policy=carve-out", "storage.step=32K"}),
      {{{.warps = 1, .shared_bytes = 4096}, 32}, {{.warps = 1, .shared_bytes = 5000}, 48}});
}

TEST(CarveOut, ChangesNeitherOccupancyNorItsLimit) {
  const SmDescription sm = multiprocessor({"storage.policy=carve-out"});
  for (const BlockNeeds& needs : {BlockNeeds{.warps = 1},
                                  {.warps = 24, .shared_bytes = 4096},
                                  {.warps = 8, .registers_per_thread = 63, .shared_bytes = 4096},
                                  {.warps = 1, .shared_bytes = 20000},
                                  {.warps = 1, .shared_bytes = 50000}}) {
    const Occupancy most = occupancy_of(sm.residency, needs);
    const Occupancy chosen = occupancy_of(sm, needs);
    EXPECT_EQ(chosen.blocks, most.blocks) << needs.shared_bytes;
    EXPECT_EQ(chosen.limit, most.limit) << needs.shared_bytes;
  }
}

TEST(CarveOut, HasSpaceForBlocksWithOneWarpLeftIfWarpsFreeTheirResources) {
  // Two blocks of 24 warps fit on an empty multiprocessor. When most of their warps have ended,
  // more blocks fit, at most eight.
  expect_sizes(multiprocessor({"storage.policy=carve-out", "residency.policy=warp-release"}),
               {{{.warps = 24, .shared_bytes = 4096}, 32}});
}

std::string message_of(std::initializer_list<std::string_view> settings) {
  try {
    multiprocessor(settings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(CarveOut, RejectsImpossibleParameters) {
  EXPECT_THAT(message_of({"storage.policy=carve-out", "l1.present=no"}),
              HasSubstr("l1.present is no: select storage.policy=fixed"));
  EXPECT_THAT(message_of({"storage.policy=carve-out", "storage.least_shared=64K"}),
              HasSubstr("storage.least_shared is 65536 and sm.shared_bytes is 49152"));
  EXPECT_THAT(message_of({"storage.policy=carve-out", "storage.step=1280"}),
              HasSubstr("multiples of 512 bytes"));
  EXPECT_THAT(message_of({"storage.policy=carve-out", "storage.least_shared=256"}),
              HasSubstr("multiples of 512 bytes"));
  EXPECT_THAT(message_of({"storage.policy=carve-out", "sm.shared_bytes=1000"}),
              HasSubstr("in whole sets of 4 lines of 128 bytes"));
  EXPECT_EQ(message_of({"storage.least_shared=64K", "l1.present=no"}), "no error")
      << "the parameters have no effect on the policy 'fixed'";
}

TEST(Storage, RejectsUnknownPolicyName) {
  EXPECT_THROW(multiprocessor({"storage.policy=nobody"}), InputError);
}

}  // namespace
}  // namespace heddle::sm
