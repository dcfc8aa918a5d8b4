// Accesses to the scratchpad through the load-store unit, with cycles computed by hand.

#include "sm/memory/load_store_fixture.h"

namespace heddle::sm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class LoadStoreScratchpad : public LoadStoreFixture {
 protected:
  MemoryInstruction shared(MemoryAction action, std::uint64_t step) {
    return with_path(MemoryPath::shared, instruction(action, 1, 0, step));
  }
};

TEST_F(LoadStoreScratchpad, NWayConflictTakesNCycles) {
  std::uint64_t at = 100;
  std::uint64_t conflicts = 0;
  for (const std::uint32_t ways : {1u, 2u, 4u, 8u, 16u, 32u}) {
    EXPECT_EQ(unit().add(shared(MemoryAction::load, 4 * ways), Cycle(at)),
              Cycle(at + ways - 1 + 20));
    EXPECT_EQ(unit().add(shared(MemoryAction::load, 4), Cycle(at)), Cycle(at + ways + 20))
        << "starts after the previous access";
    at += 100;
    advance(at);
    conflicts += ways - 1;
    EXPECT_EQ(counter("scratchpad.conflict_cycles"), conflicts);
  }
}

TEST_F(LoadStoreScratchpad, LanesInOneBankTakeOneCycleEach) {
  for (std::uint64_t lanes = 1; lanes <= 32; ++lanes) {
    const std::uint64_t at = lanes * 100;
    advance(at);
    memory::LaneAddresses addresses{};
    for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) {
      addresses[lane] = lane < lanes ? lane * 128 : lane * 4;
    }
    MemoryInstruction added = shared(MemoryAction::load, 4);
    added.addresses = &addresses;
    EXPECT_EQ(unit().add(added, Cycle(at)), Cycle(at + lanes - 1 + 20));
  }
}

TEST_F(LoadStoreScratchpad, BroadcastsWordToLoadsButSerialisesAtomics) {
  EXPECT_EQ(unit().add(shared(MemoryAction::load, 0), Cycle(10)), Cycle(30));
  EXPECT_EQ(unit().add(shared(MemoryAction::atomic, 0), Cycle(50)), Cycle(50 + 31 + 20));
}

TEST_F(LoadStoreScratchpad, StoreOccupiesBanksWithoutCompletion) {
  EXPECT_EQ(unit().add(shared(MemoryAction::store, 8), Cycle(10)), std::nullopt);
  EXPECT_EQ(unit().add(shared(MemoryAction::load, 4), Cycle(10)), Cycle(12 + 20));
  EXPECT_THAT(advance(100), IsEmpty());
}

TEST_F(LoadStoreScratchpad, QueueHoldsInstructionsThatHaveNotStarted) {
  description.scratchpad.queue = 2;
  advance(10);
  unit().add(shared(MemoryAction::load, 32), Cycle(10));  // Cycles 10 to 17.
  unit().add(shared(MemoryAction::load, 32), Cycle(10));  // From cycle 18.
  EXPECT_TRUE(unit().accepts(MemoryPath::shared));
  EXPECT_EQ(unit().next_event(), Cycle::never());
  unit().add(shared(MemoryAction::load, 4), Cycle(10));
  EXPECT_FALSE(unit().accepts(MemoryPath::shared));
  EXPECT_EQ(unit().next_event(), Cycle(18));
  EXPECT_EQ(unit().next_visible_event(), Cycle(18));
  advance(17);
  EXPECT_FALSE(unit().accepts(MemoryPath::shared));
  advance(18);
  EXPECT_TRUE(unit().accepts(MemoryPath::shared));
}

TEST_F(LoadStoreScratchpad, SharedPipeSerialisesScratchpadAndL1) {
  description.lsu.shared_pipe = true;
  warm(MemoryPath::global, {0}, 1000);
  EXPECT_EQ(unit().add(shared(MemoryAction::load, 32), Cycle(1000)), std::nullopt);
  EXPECT_EQ(unit().add(load(2, 0), Cycle(1000)), std::nullopt);
  EXPECT_THAT(advance(1009), ElementsAre(completion(1, 1000 + 7 + 20), completion(2, 1008 + 20)));
}

TEST_F(LoadStoreScratchpad, SeparatePipesWorkInParallel) {
  warm(MemoryPath::global, {0}, 1000);
  unit().add(shared(MemoryAction::load, 32), Cycle(1000));
  EXPECT_EQ(unit().add(load(2, 0), Cycle(1000)), Cycle(1022));
}

}  // namespace
}  // namespace heddle::sm
