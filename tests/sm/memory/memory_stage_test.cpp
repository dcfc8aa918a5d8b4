#include "sm/memory/memory_stage.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "exec/memory/address_space.h"
#include "sm/memory/atomic_static_warps.h"
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
  /// Addresses for 32 lanes: eight in global, eight in shared, eight in local and eight in
  /// parameter memory.
  static memory::LaneAddresses to_each_memory() {
    memory::LaneAddresses addresses{};
    for (std::uint64_t lane = 0; lane < 32; ++lane) {
      const std::uint64_t starts[] = {exec::kGlobalBase, exec::kSharedWindow, exec::kLocalWindow,
                                      exec::kParameterWindow};
      addresses[lane] = starts[lane / 8] + lane % 8 * 4;
    }
    return addresses;
  }
  /// Sends an instruction in cycle 1000, in a single pass (a pass: one access of up to 32 threads).
  MemoryStage::Token send(const IssueInfo& info, const memory::LaneAddresses& addresses,
                          LaneMask lanes = LaneMask::all(),
                          MemoryAction action = MemoryAction::load, WarpSlot warp = kWarp,
                          ContextKind context = ContextKind::normal) {
    const MemoryStage::Token token = stage().begin(warp, 10, info, Cycle(1000), context);
    stage().send(token,
                 {.action = action, .lanes = lanes, .addresses = &addresses, .hardware_warp = 2},
                 {.local_bytes = 64}, Cycle(1000));
    return token;
  }
  static constexpr LaneMask kGlobal{0xff}, kShared{0xff00}, kLocal{0xff0000},
      kParameter{0xff000000};

 private:
  std::optional<MemoryStage> stage_;
};

TEST_F(MemoryStageTest, GenericLoadAccessesMemoriesOfItsAddresses) {
  const IssueInfo info = access(MemoryRoute::generic);
  send(info, to_each_memory());
  EXPECT_EQ(counter("lsu.global_loads"), 1u);
  EXPECT_EQ(counter("lsu.local_loads"), 1u);
  EXPECT_EQ(counter("lsu.constant_loads"), 1u);
  EXPECT_EQ(counter("scratchpad.accesses"), 1u);
}

TEST_F(MemoryStageTest, GenericStoreDoesNotAccessParameters) {
  const IssueInfo info = access(MemoryRoute::generic, InstructionKind::store);
  const MemoryStage::Token token =
      send(info, to_each_memory(), LaneMask::all(), MemoryAction::store);
  EXPECT_EQ(stage().end(token), Cycle(1000)) << "a store is not waited for";
  EXPECT_FALSE(stage().has_in_flight(kWarp));
  EXPECT_EQ(counter("lsu.global_stores"), 1u);
  EXPECT_EQ(counter("lsu.local_stores"), 1u);
  EXPECT_EQ(counter("lsu.constant_loads"), 0u);
  EXPECT_EQ(counter("scratchpad.accesses"), 1u);
}

TEST_F(MemoryStageTest, EndReturnsCompletionThatIsKnownAtOnce) {
  const IssueInfo info = access(MemoryRoute::generic);
  const MemoryStage::Token token = send(info, to_each_memory(), kShared);
  EXPECT_EQ(stage().end(token), Cycle(1000 + 20)) << "the scratchpad's latency";
  EXPECT_FALSE(stage().has_in_flight(kWarp));
  EXPECT_EQ(send(info, to_each_memory(), kShared), token) << "its token is free";
}

TEST_F(MemoryStageTest, DropsCompletionsOfSecondContext) {
  const auto send_ahead = [&](const IssueInfo& info) {
    return send(info, to_each_memory(), kGlobal | kShared, MemoryAction::load, kWarp,
                ContextKind::ahead);
  };
  auto info = std::make_unique<IssueInfo>(access(MemoryRoute::generic));
  const MemoryStage::Token ahead = send_ahead(*info);
  EXPECT_EQ(stage().end(ahead), Cycle::never());
  EXPECT_FALSE(stage().has_in_flight(kWarp)) << "the warp may end";
  info.reset();  // The launch has ended.
  // Another warp has got the slot.
  const IssueInfo next = access(MemoryRoute::global);
  const MemoryStage::Token normal = send(next, to_each_memory(), kGlobal);
  EXPECT_EQ(stage().end(normal), Cycle::never());
  EXPECT_EQ(stage().complete({.token = ahead, .at = Cycle(1500)}), std::nullopt);
  EXPECT_TRUE(stage().has_in_flight(kWarp));
  const auto done = stage().complete({.token = normal, .at = Cycle(1600)});
  ASSERT_TRUE(done.has_value());
  EXPECT_EQ(done->instruction, &next);
  EXPECT_FALSE(stage().has_in_flight(kWarp));
  EXPECT_EQ(send_ahead(next), normal) << "the tokens of both are free";
}

TEST_F(MemoryStageTest, CountsNoInstructionsOfSecondContext) {
  for (const MemoryRoute route : {MemoryRoute::generic, MemoryRoute::global}) {
    const IssueInfo info = access(route);
    send(info, to_each_memory(), route == MemoryRoute::global ? kGlobal : LaneMask::all(),
         MemoryAction::load, kWarp, ContextKind::ahead);
  }
  for (const char* const name : {"lsu.global_loads", "lsu.local_loads", "lsu.constant_loads",
                                 "lsu.load_segments", "lsu.uncached_segments"}) {
    EXPECT_EQ(counter(name), 0u) << name;
  }
  EXPECT_EQ(counter("scratchpad.accesses"), 1u) << "the hardware is used";
}

TEST_F(MemoryStageTest, CompletesOnceWithLatestPart) {
  const IssueInfo info = access(MemoryRoute::generic);
  const MemoryStage::Token token = send(info, to_each_memory(), kGlobal | kShared | kParameter);
  EXPECT_EQ(stage().end(token), Cycle::never());
  EXPECT_TRUE(stage().has_in_flight(kWarp));
  EXPECT_EQ(stage().warp_of(token), kWarp);
  EXPECT_EQ(stage().complete({.token = token, .at = Cycle(1500)}), std::nullopt);
  EXPECT_TRUE(stage().has_in_flight(kWarp));
  const auto done = stage().complete({.token = token, .at = Cycle(1400)});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->at, Cycle(1500));
  EXPECT_EQ(done->warp, kWarp);
  EXPECT_EQ(done->instruction, &info);
  EXPECT_FALSE(stage().has_in_flight(kWarp));
}

TEST_F(MemoryStageTest, PartKnownAtOnceMayBeTheLatest) {
  const IssueInfo info = access(MemoryRoute::generic);
  const MemoryStage::Token token = send(info, to_each_memory(), kGlobal | kShared);
  EXPECT_EQ(stage().end(token), Cycle::never());
  const auto done = stage().complete({.token = token, .at = Cycle(1019)});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->at, Cycle(1020));
}

TEST_F(MemoryStageTest, WarpHasInstructionsInFlightUntilLastCompletes) {
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
  EXPECT_TRUE(stage().has_in_flight(kWarp));
  EXPECT_TRUE(stage().complete({.token = first, .at = Cycle(1200)}));
  EXPECT_FALSE(stage().has_in_flight(kWarp));
  EXPECT_TRUE(stage().has_in_flight(kWarp + 1));
}

TEST_F(MemoryStageTest, DistinguishesLongLatencyInstructions) {
  const IssueInfo constant = access(MemoryRoute::constant);
  IssueInfo global = access(MemoryRoute::global);
  global.is_long_latency = true;
  global.writes = 1;
  const MemoryStage::Token constant_load = send(constant, to_each_memory(), kParameter);
  stage().end(constant_load);
  EXPECT_TRUE(stage().has_in_flight(kWarp));
  EXPECT_FALSE(stage().has_long_latency_in_flight(kWarp));
  MemoryStage::Token global_loads[2]{};
  for (MemoryStage::Token& token : global_loads) {
    token = send(global, to_each_memory(), kGlobal);
    stage().end(token);
  }
  EXPECT_FALSE(stage().has_long_latency_in_flight(kWarp + 1));
  stage().complete({.token = global_loads[1], .at = Cycle(1100)});
  EXPECT_TRUE(stage().has_long_latency_in_flight(kWarp)) << "the first global load";
  stage().complete({.token = global_loads[0], .at = Cycle(1200)});
  EXPECT_FALSE(stage().has_long_latency_in_flight(kWarp));
  EXPECT_TRUE(stage().has_in_flight(kWarp)) << "the constant load";
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

TEST_F(MemoryStageTest, LocalAccessUsesMappedAddresses) {
  const IssueInfo info = access(MemoryRoute::local);
  memory::LaneAddresses offsets{};
  offsets.fill(12);
  send(info, offsets);
  advance(1010);
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 1u) << "adjacent lanes share a segment";
  LocalMemoryMap map(5);
  const MemoryPass pass{.addresses = &offsets, .hardware_warp = 2};
  EXPECT_EQ(requests[0].address, map.translate(pass, LaneMask::all(), 4, 64)[0]);
}

TEST_F(MemoryStageTest, RelocatesParametersButNotConstants) {
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
  constexpr std::uint64_t kParameters = 65536;
  warm(MemoryPath::constant, {64, exec::kParameterWindow + 128, exec::kGlobalBase + 192}, 900);
  const IssueInfo constant = access(MemoryRoute::constant);
  const IssueInfo generic = access(MemoryRoute::generic);
  EXPECT_TRUE(hits(constant, 64, 0));
  EXPECT_TRUE(hits(generic, exec::kParameterWindow + 128, 0));
  EXPECT_TRUE(hits(constant, exec::kGlobalBase + 192, kParameters))
      << "constant variables are not relocated";
  EXPECT_FALSE(hits(generic, exec::kParameterWindow + 128, kParameters));
  EXPECT_FALSE(hits(constant, 64, kParameters));
}

TEST_F(MemoryStageTest, LoadThatBypassesL1IsSentToMemory) {
  warm(MemoryPath::global, {exec::kGlobalBase}, 900);
  IssueInfo info = access(MemoryRoute::global);
  const MemoryStage::Token cached = send(info, to_each_memory(), kGlobal);
  EXPECT_EQ(stage().end(cached), Cycle(1000 + 2 + 20));
  info.bypasses_l1 = true;
  const MemoryStage::Token uncached = send(info, to_each_memory(), kGlobal);
  EXPECT_EQ(stage().end(uncached), Cycle::never());
  EXPECT_EQ(counter("lsu.uncached_segments"), 1u);
}

TEST_F(MemoryStageTest, AtomicsAreInFlightUntilInstructionCompletes) {
  AtomicStaticWarps static_warps;
  for (std::uint32_t index = 0; index < 2; ++index) {
    AtomicStaticWarps::Offsets offsets{};
    for (std::size_t lane = 0; lane < 32; ++lane) offsets[lane] = lane * 4;
    static_warps.set_offsets(index, 0, offsets);
  }
  static_warps.start();
  const IssueInfo info = access(MemoryRoute::global, InstructionKind::atomic);
  const MemoryStage::Token token = stage().begin(kWarp, 10, info, Cycle(1000));
  for (std::uint32_t index = 0; index < 2; ++index) {
    const std::uint32_t number = static_warps.capture(stage().atomics(), index);
    const exec::DeferredAtomic& atomic = stage().atomics()[number].work;
    stage().send(token,
                 {.action = MemoryAction::atomic,
                  .lanes = atomic.lanes(),
                  .addresses = &atomic.addresses(),
                  .atomic = number},
                 {}, Cycle(1000));
  }
  EXPECT_FALSE(stage().atomics().has_any(kWarp)) << "the atomics have not been sent";
  EXPECT_EQ(stage().end(token), Cycle::never());
  EXPECT_TRUE(stage().atomics().has_any(kWarp));
  EXPECT_FALSE(stage().complete({.token = token, .at = Cycle(1300)}));
  EXPECT_TRUE(stage().atomics().has_any(kWarp));
  EXPECT_TRUE(stage().complete({.token = token, .at = Cycle(1310)}));
  EXPECT_FALSE(stage().atomics().has_any(kWarp));
}

}  // namespace
}  // namespace heddle::sm
