#include "sm/memory/memory_stage.h"

#include <gtest/gtest.h>

#include <optional>

#include "exec/memory/address_space.h"
#include "sm/memory/atomic_rows.h"
#include "sm/memory/load_store_fixture.h"

namespace heddle::sm {
namespace {

constexpr WarpSlot kWarp = 4;

class MemoryStageTest : public LoadStoreFixture {
 protected:
  MemoryStage& stage() {
    if (!stage_) stage_.emplace(unit(), std::uint16_t{5});
    return *stage_;
  }
  static IssueInfo access(MemoryRoute route, InstructionKind kind = InstructionKind::load) {
    return {.kind = kind, .route = route, .bytes_per_lane = 4};
  }
  /// Lane i accesses word i of the first memory of its kind: eight lanes each.
  static memory::LaneAddresses to_each_memory() {
    memory::LaneAddresses addresses{};
    for (std::uint64_t lane = 0; lane < 32; ++lane) {
      const std::uint64_t starts[] = {exec::kGlobalBase, exec::kSharedWindow, exec::kLocalWindow,
                                      exec::kParameterWindow};
      addresses[lane] = starts[lane / 8] + lane % 8 * 4;
    }
    return addresses;
  }
  /// Hands over an instruction of one pass at 1000.
  MemoryStage::Token send(const IssueInfo& info, const memory::LaneAddresses& addresses,
                          LaneMask lanes = LaneMask::all(),
                          MemoryAction action = MemoryAction::load, WarpSlot warp = kWarp) {
    const MemoryStage::Token token = stage().begin(warp, 10, info, Cycle(1000));
    stage().send(token, {.action = action, .lanes = lanes, .addresses = &addresses, .home = 2},
                 {.local_bytes = 64}, Cycle(1000));
    return token;
  }
  static constexpr LaneMask kGlobal{0xff}, kShared{0xff00}, kLocal{0xff0000},
      kParameter{0xff000000};

 private:
  std::optional<MemoryStage> stage_;
};

TEST_F(MemoryStageTest, AGenericLoadGoesToTheMemoriesOfItsAddresses) {
  const IssueInfo info = access(MemoryRoute::generic);
  send(info, to_each_memory());
  EXPECT_EQ(counter("lsu.global_loads"), 1u);
  EXPECT_EQ(counter("lsu.local_loads"), 1u);
  EXPECT_EQ(counter("lsu.constant_loads"), 1u);
  EXPECT_EQ(counter("scratchpad.accesses"), 1u);
}

TEST_F(MemoryStageTest, AGenericStoreDoesNotGoToParameters) {
  const IssueInfo info = access(MemoryRoute::generic, InstructionKind::store);
  const MemoryStage::Token token =
      send(info, to_each_memory(), LaneMask::all(), MemoryAction::store);
  EXPECT_EQ(stage().end(token), Cycle(1000)) << "nothing is waited for";
  EXPECT_FALSE(stage().any(kWarp));
  EXPECT_EQ(counter("lsu.global_stores"), 1u);
  EXPECT_EQ(counter("lsu.local_stores"), 1u);
  EXPECT_EQ(counter("lsu.constant_loads"), 0u);
  EXPECT_EQ(counter("scratchpad.accesses"), 1u);
}

TEST_F(MemoryStageTest, WhatIsKnownAtOnceIsCompleteAtTheEnd) {
  const IssueInfo info = access(MemoryRoute::generic);
  const MemoryStage::Token token = send(info, to_each_memory(), kShared);
  EXPECT_EQ(stage().end(token), Cycle(1000 + 20)) << "the scratchpad's latency";
  EXPECT_FALSE(stage().any(kWarp));
  EXPECT_EQ(send(info, to_each_memory(), kShared), token) << "its token is free";
}

TEST_F(MemoryStageTest, PartsCompleteTheInstructionOnceAndTheLatestCounts) {
  const IssueInfo info = access(MemoryRoute::generic);
  const MemoryStage::Token token = send(info, to_each_memory(), kGlobal | kShared | kParameter);
  EXPECT_EQ(stage().end(token), Cycle::never());
  EXPECT_TRUE(stage().any(kWarp));
  EXPECT_EQ(stage().warp_of(token), kWarp);
  EXPECT_EQ(stage().complete({.token = token, .at = Cycle(1500)}), std::nullopt);
  EXPECT_TRUE(stage().any(kWarp));
  const auto done = stage().complete({.token = token, .at = Cycle(1400)});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->at, Cycle(1500));
  EXPECT_EQ(done->warp, kWarp);
  EXPECT_EQ(done->instruction, &info);
  EXPECT_FALSE(stage().any(kWarp));
}

TEST_F(MemoryStageTest, APartThatWasKnownAtOnceMayBeTheLatest) {
  const IssueInfo info = access(MemoryRoute::generic);
  const MemoryStage::Token token = send(info, to_each_memory(), kGlobal | kShared);
  EXPECT_EQ(stage().end(token), Cycle::never());
  const auto done = stage().complete({.token = token, .at = Cycle(1019)});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->at, Cycle(1020));
}

TEST_F(MemoryStageTest, AWarpsInstructionsAreUnderWayUntilTheLastIsComplete) {
  const IssueInfo info = access(MemoryRoute::global);
  const MemoryStage::Token first = send(info, to_each_memory(), kGlobal);
  stage().end(first);
  const MemoryStage::Token second = send(info, to_each_memory(), kGlobal);
  stage().end(second);
  const MemoryStage::Token other =
      send(info, to_each_memory(), kGlobal, MemoryAction::load, kWarp + 1);
  stage().end(other);
  EXPECT_NE(first, second);
  EXPECT_TRUE(stage().complete({.token = second, .at = Cycle(1100)}));
  EXPECT_TRUE(stage().any(kWarp));
  EXPECT_TRUE(stage().complete({.token = first, .at = Cycle(1200)}));
  EXPECT_FALSE(stage().any(kWarp));
  EXPECT_TRUE(stage().any(kWarp + 1));
}

TEST_F(MemoryStageTest, OnlySomeOfWhatIsUnderWayTakesLong) {
  const IssueInfo constant = access(MemoryRoute::constant);
  IssueInfo global = access(MemoryRoute::global);
  global.long_latency = true;
  global.writes = 1;
  const MemoryStage::Token of_constant = send(constant, to_each_memory(), kParameter);
  stage().end(of_constant);
  EXPECT_TRUE(stage().any(kWarp));
  EXPECT_FALSE(stage().any_long(kWarp));
  MemoryStage::Token of_global[2]{};
  for (MemoryStage::Token& token : of_global) {
    token = send(global, to_each_memory(), kGlobal);
    stage().end(token);
  }
  EXPECT_FALSE(stage().any_long(kWarp + 1));
  stage().complete({.token = of_global[1], .at = Cycle(1100)});
  EXPECT_TRUE(stage().any_long(kWarp)) << "the first";
  stage().complete({.token = of_global[0], .at = Cycle(1200)});
  EXPECT_FALSE(stage().any_long(kWarp));
  EXPECT_TRUE(stage().any(kWarp)) << "the constants";
}

TEST_F(MemoryStageTest, PassesOfAnInstructionCompleteTogether) {
  const IssueInfo info = access(MemoryRoute::global);
  const memory::LaneAddresses addresses = to_each_memory();
  const MemoryStage::Token token = stage().begin(kWarp, 10, info, Cycle(1000));
  for (const std::uint64_t at : {1000u, 1001u, 1002u}) {
    stage().send(token, {.lanes = kGlobal, .addresses = &addresses}, {.local_bytes = 64},
                 Cycle(at));
  }
  EXPECT_EQ(stage().end(token), Cycle::never());
  EXPECT_FALSE(stage().complete({.token = token, .at = Cycle(1300)}));
  EXPECT_FALSE(stage().complete({.token = token, .at = Cycle(1301)}));
  EXPECT_TRUE(stage().complete({.token = token, .at = Cycle(1302)}));
}

TEST_F(MemoryStageTest, LocalMemoryIsAccessedWhereItIsMapped) {
  const IssueInfo info = access(MemoryRoute::local);
  memory::LaneAddresses offsets{};
  offsets.fill(12);
  send(info, offsets);
  advance(1010);
  const std::vector<memory::Request> requests = sent();
  ASSERT_EQ(requests.size(), 1u) << "neighbours share a segment";
  LocalMemoryMap map(5);
  const MemoryPass pass{.addresses = &offsets, .home = 2};
  EXPECT_EQ(requests[0].address, map.translate(pass, LaneMask::all(), 4, 64)[0]);
}

TEST_F(MemoryStageTest, ProgramsHaveTheirParametersApartAndTheirConstantsWhereTheyAre) {
  std::uint64_t now = 1000;
  const auto hits = [&](const IssueInfo& info, std::uint64_t address, std::uint64_t parameters) {
    ++now;
    memory::LaneAddresses addresses{};
    addresses.fill(address);
    const MemoryStage::Token token = stage().begin(kWarp, 10, info, Cycle(now));
    stage().send(token, {.lanes = LaneMask::all(), .addresses = &addresses},
                 {.parameters = parameters}, Cycle(now));
    return stage().end(token) != Cycle::never();
  };
  constexpr std::uint64_t kOfAnother = 65536;
  warm(MemoryPath::constant, {64, exec::kParameterWindow + 128, exec::kGlobalBase + 192}, 900);
  const IssueInfo constant = access(MemoryRoute::constant);
  const IssueInfo generic = access(MemoryRoute::generic);
  EXPECT_TRUE(hits(constant, 64, 0));
  EXPECT_TRUE(hits(generic, exec::kParameterWindow + 128, 0));
  EXPECT_TRUE(hits(constant, exec::kGlobalBase + 192, kOfAnother)) << "each has its own addresses";
  EXPECT_FALSE(hits(generic, exec::kParameterWindow + 128, kOfAnother));
  EXPECT_FALSE(hits(constant, 64, kOfAnother));
}

TEST_F(MemoryStageTest, ALoadThatPassesByTheL1IsSentAgain) {
  warm(MemoryPath::global, {exec::kGlobalBase}, 900);
  IssueInfo info = access(MemoryRoute::global);
  const MemoryStage::Token cached = send(info, to_each_memory(), kGlobal);
  EXPECT_EQ(stage().end(cached), Cycle(1000 + 2 + 20));
  info.bypasses_l1 = true;
  const MemoryStage::Token uncached = send(info, to_each_memory(), kGlobal);
  EXPECT_EQ(stage().end(uncached), Cycle::never());
  EXPECT_EQ(counter("lsu.uncached_segments"), 1u);
}

TEST_F(MemoryStageTest, AtomicsAreInFlightUntilTheirInstructionIsComplete) {
  AtomicRows rows;
  for (std::uint32_t row = 0; row < 2; ++row) {
    AtomicRows::Offsets offsets{};
    for (std::size_t lane = 0; lane < 32; ++lane) offsets[lane] = lane * 4;
    rows.aim(row, 0, offsets);
  }
  rows.start();
  const IssueInfo info = access(MemoryRoute::global, InstructionKind::atomic);
  const MemoryStage::Token token = stage().begin(kWarp, 10, info, Cycle(1000));
  for (std::uint32_t row = 0; row < 2; ++row) {
    const std::uint32_t number = rows.capture(stage().atomics(), row);
    const exec::DeferredAtomic& atomic = stage().atomics()[number].work;
    stage().send(token,
                 {.action = MemoryAction::atomic,
                  .lanes = atomic.lanes(),
                  .addresses = &atomic.addresses(),
                  .atomic = number},
                 {}, Cycle(1000));
  }
  EXPECT_FALSE(stage().atomics().any(kWarp)) << "they have not been sent";
  EXPECT_EQ(stage().end(token), Cycle::never());
  EXPECT_TRUE(stage().atomics().any(kWarp));
  EXPECT_FALSE(stage().complete({.token = token, .at = Cycle(1300)}));
  EXPECT_TRUE(stage().atomics().any(kWarp));
  EXPECT_TRUE(stage().complete({.token = token, .at = Cycle(1310)}));
  EXPECT_FALSE(stage().atomics().any(kWarp));
}

}  // namespace
}  // namespace heddle::sm
