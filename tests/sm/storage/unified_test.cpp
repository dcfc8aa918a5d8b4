// The sizes that the policy 'unified' chooses. The numbers are computed by hand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "configure.h"
#include "sm/sm_description.h"
#include "sm/storage/launch_sizes.h"

namespace heddle::sm {
namespace {

using ::testing::HasSubstr;

constexpr std::uint32_t kKilobyte = 1024;

/// 384 KB: 256 KB of registers, 64 KB of scratchpad and 64 KB of L1, in sets of 512 bytes; at most
/// 32 warps.
SmDescription multiprocessor(std::initializer_list<std::string_view> settings = {}) {
  std::vector<std::string_view> all{"storage.policy=unified",
                                    "sm.warps=32",
                                    "sm.blocks=32",
                                    "sm.registers=65536",
                                    "sm.shared_bytes=64K",
                                    "l1.bytes=64K",
                                    "l1.ways=4",
                                    "l1.line_bytes=128",
                                    "operands.policy=banked",
                                    "scratchpad.banks=8",
                                    "scratchpad.bank_bytes=16",
                                    "lsu.shared_pipe=yes"};
  all.insert(all.end(), settings);
  SmDescription sm = configure<SmDescription>(all);
  sm.check();
  return sm;
}

struct Row {
  BlockNeeds needs;
  std::uint32_t blocks;
  std::uint32_t register_kilobytes;
  std::uint32_t shared_kilobytes;
  std::uint32_t l1_kilobytes;
};

void expect_sizes(const SmDescription& sm, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    SCOPED_TRACE(row.needs.shared_bytes);
    const StorageSizes sizes = sizes_for(sm, row.needs);
    EXPECT_EQ(sizes.registers * 4, row.register_kilobytes * kKilobyte);
    EXPECT_EQ(sizes.shared_bytes, row.shared_kilobytes * kKilobyte);
    EXPECT_EQ(sizes.l1_bytes, row.l1_kilobytes * kKilobyte);
    EXPECT_EQ(occupancy_of(sm, row.needs).blocks, row.blocks);
  }
}

TEST(Unified, GivesTheL1WhatTheMostBlocksLeave) {
  expect_sizes(multiprocessor(),
               {// 32 warps of 16 registers a thread are 64 KB.
                {{.warps = 8, .registers_per_thread = 16}, 4, 64, 0, 320},
                {{.warps = 8, .registers_per_thread = 32, .shared_bytes = 4096}, 4, 128, 16, 240},
                // 80 KB of shared memory: more than a fixed scratchpad of 64 KB has.
                {{.warps = 8, .registers_per_thread = 32, .shared_bytes = 20480}, 4, 128, 80, 176},
                // A block takes 32 + 96 KB. With a third one, nothing would be left for the L1.
                {{.warps = 8, .registers_per_thread = 32, .shared_bytes = 98304}, 2, 64, 192, 128},
                // 256 registers a thread: one block of 8 warps has 256 KB.
                {{.warps = 8, .registers_per_thread = 256}, 1, 256, 0, 128}});
}

TEST(Unified, NamesTheResourceThatLimitsTheBlocks) {
  const SmDescription sm = multiprocessor();
  EXPECT_EQ(occupancy_of(sm, {.warps = 8, .registers_per_thread = 16}).limit,
            ResidencyLimit::warps);
  EXPECT_EQ(occupancy_of(sm, {.warps = 8, .registers_per_thread = 256}).limit,
            ResidencyLimit::registers);
  EXPECT_EQ(occupancy_of(sm, {.warps = 1, .shared_bytes = 150 * kKilobyte}).limit,
            ResidencyLimit::shared_memory);
}

TEST(Unified, FillsTheMemoryToTheLastSetOfTheL1) {
  const SmDescription sm = multiprocessor({"sm.shared_unit=1"});
  // 392,704 bytes and one set of the L1 are the whole memory.
  EXPECT_EQ(occupancy_of(sm, {.warps = 1, .shared_bytes = 392704}).blocks, 1U);
  EXPECT_EQ(sizes_for(sm, {.warps = 1, .shared_bytes = 392704}).l1_bytes, 512U);
  EXPECT_EQ(occupancy_of(sm, {.warps = 1, .shared_bytes = 392705}).blocks, 0U);
  // A set that is not whole is left.
  EXPECT_EQ(sizes_for(sm, {.warps = 1, .shared_bytes = 392193}).l1_bytes, 512U);
  EXPECT_EQ(sizes_for(sm, {.warps = 1, .shared_bytes = 392192}).l1_bytes, 1024U);
}

TEST(Unified, BlockThatFitsInNeitherOrderDoesNotFit) {
  // 256 KB of registers or 136 KB of shared memory would fit, but not both.
  const BlockNeeds needs{.warps = 32, .registers_per_thread = 64, .shared_bytes = 136 * kKilobyte};
  EXPECT_EQ(occupancy_of(multiprocessor(), needs).blocks, 0U);
}

TEST(Unified, LimitsTheL1) {
  expect_sizes(
      multiprocessor({"storage.most_l1=96K"}),
      {{{.warps = 8, .registers_per_thread = 16}, 4, 64, 0, 96},
       {{.warps = 8, .registers_per_thread = 256}, 1, 256, 0, 96},
       {{.warps = 8, .registers_per_thread = 32, .shared_bytes = 49152}, 4, 128, 192, 64}});
}

TEST(Unified, FewerWarpsLeaveMoreToTheL1) {
  expect_sizes(multiprocessor({"sm.warps=16"}),
               {{{.warps = 8, .registers_per_thread = 32, .shared_bytes = 4096}, 2, 64, 8, 312}});
}

TEST(Unified, HoldsPartsOfBlocksIfWarpsAreAllocatedOneByOne) {
  const SmDescription sm = multiprocessor({"residency.policy=partial-block"});
  // 32 warps of 9 KB would take 288 KB; they belong to 3 blocks of 12 warps.
  StorageSizes expected{.registers = 72 * kKilobyte,
                        .shared_bytes = 3 * 16 * kKilobyte,
                        .l1_bytes = (384 - 288 - 48) * kKilobyte};
  EXPECT_EQ(sizes_for(sm, {.warps = 12, .registers_per_thread = 72, .shared_bytes = 16384}),
            expected);
  // 30 warps of 12 KB take 360 KB. With the shared memory of 3 blocks, 12 KB are left.
  expected = {.registers = 30 * 3 * kKilobyte,
              .shared_bytes = 3 * 4 * kKilobyte,
              .l1_bytes = 12 * kKilobyte};
  EXPECT_EQ(sizes_for(sm, {.warps = 12, .registers_per_thread = 96, .shared_bytes = 4096}),
            expected);
}

TEST(Unified, KeepsTheSizesOfTheParametersForLaunchesSideBySide) {
  const StorageSizes expected{
      .registers = 65536, .shared_bytes = 64 * kKilobyte, .l1_bytes = 64 * kKilobyte};
  EXPECT_EQ(parameter_sizes(multiprocessor()), expected);
}

std::string message_of(std::initializer_list<std::string_view> settings) {
  try {
    multiprocessor(settings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Unified, RejectsWhatCannotShareBanks) {
  EXPECT_THAT(message_of({"l1.present=no"}), HasSubstr("l1.present is no"));
  EXPECT_THAT(message_of({"l1.line_bytes=64"}), HasSubstr("lines of 128 bytes"));
  EXPECT_THAT(message_of({"l1.local_writes=back"}), HasSubstr("must be written through"));
  EXPECT_THAT(message_of({"storage.most_l1=100"}), HasSubstr("at least one set"));
  EXPECT_THAT(message_of({"scratchpad.banks=32"}),
              HasSubstr("scratchpad.banks=8 and scratchpad.bank_bytes=16, not 32 and 16"));
  EXPECT_THAT(message_of({"storage.clusters=9"}), HasSubstr("a power of two"));
  EXPECT_THAT(message_of({"lsu.shared_pipe=no"}), HasSubstr("lsu.shared_pipe=yes"));
  EXPECT_THAT(message_of({"operands.policy=flat"}), HasSubstr("'flat' has none"));
  EXPECT_THAT(message_of({"sm.sub_cores=2", "schedule.schedulers=2"}),
              HasSubstr("sm.sub_cores is 2"));
  EXPECT_EQ(message_of({"storage.conflicts=no", "scratchpad.banks=32", "scratchpad.bank_bytes=4",
                        "lsu.shared_pipe=no", "operands.policy=flat"}),
            "no error");
  EXPECT_EQ(message_of({"operands.policy=register-cache", "operands.active_only=no"}), "no error")
      << "its main register file has banks";
}

}  // namespace
}  // namespace heddle::sm
