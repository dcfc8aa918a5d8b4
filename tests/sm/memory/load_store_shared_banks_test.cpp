// Accesses of the load-store unit to banks that registers use, with cycles computed by hand.

#include <random>
#include <vector>

#include "sm/memory/load_store_fixture.h"

namespace heddle::sm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Four banks in each of eight clusters. The L1 has segments of 128 bytes, so that an access is a
/// line. Latencies are 20 cycles, and addresses take 2.
class LoadStoreSharedBanks : public LoadStoreFixture {
 protected:
  LoadStoreSharedBanks() {
    ports.emplace(4, BankPorts::Ports::read_and_write);
    description.lsu.shared_pipe = true;
    description.coalescer.shape.segment_bytes = 128;
    description.scratchpad.shape.banks = 8;
    description.scratchpad.shape.bank_bytes = 16;
  }

  MemoryInstruction shared(MemoryAction action, std::uint32_t token, std::uint64_t address,
                           std::uint64_t step = 4) {
    return with_path(MemoryPath::shared, instruction(action, token, address, step));
  }
  /// Registers are read from a bank in these cycles.
  void read_registers(std::size_t bank, std::initializer_list<std::uint64_t> cycles) {
    for (const std::uint64_t cycle : cycles) ports->reads()[bank].mark(Cycle(cycle));
  }
  std::vector<std::uint64_t> completions_of_random_loads();
  void write_registers(std::size_t bank, std::initializer_list<std::uint64_t> cycles) {
    for (const std::uint64_t cycle : cycles) ports->writes()[bank].mark(Cycle(cycle));
  }
};

TEST_F(LoadStoreSharedBanks, ScratchpadLoadWaitsWhileItsBankIsRead) {
  read_registers(1, {1000, 1001, 1003});
  EXPECT_EQ(unit().add(shared(MemoryAction::load, 1, 128), Cycle(1000)), std::nullopt);
  EXPECT_THAT(advance(1002), IsEmpty());
  EXPECT_THAT(advance(1003), ElementsAre(completion(1, 1002 + 20)));
  EXPECT_EQ(counter("banks.conflict_cycles"), 2U);
  EXPECT_EQ(counter("banks.delayed"), 1U);
}

TEST_F(LoadStoreSharedBanks, OtherBanksAndPortsDoNotDelayALoad) {
  read_registers(0, {1000});
  read_registers(2, {1000});
  write_registers(1, {1000});
  unit().add(shared(MemoryAction::load, 1, 128), Cycle(1000));
  EXPECT_THAT(advance(1001), ElementsAre(completion(1, 1000 + 20)));
  EXPECT_EQ(counter("banks.delayed"), 0U);
}

TEST_F(LoadStoreSharedBanks, EachPassWaitsForItsOwnBank) {
  // Lanes are two rows apart: passes in banks 0, 2, 0, ... 2.
  MemoryInstruction load = shared(MemoryAction::load, 1, 0, 256);
  load.lanes = LaneMask::first_lanes(3);
  read_registers(0, {1000});
  read_registers(2, {1002, 1003});
  unit().add(load, Cycle(1000));
  // Bank 0 at 1001, bank 2 at 1004, bank 0 at 1005.
  EXPECT_THAT(advance(1005), IsEmpty());
  EXPECT_THAT(advance(1006), ElementsAre(completion(1, 1005 + 20)));
  EXPECT_EQ(counter("banks.conflict_cycles"), 3U);
  EXPECT_EQ(counter("banks.delayed"), 1U) << "one instruction";
  EXPECT_EQ(counter("scratchpad.passes"), 3U);
  EXPECT_EQ(counter("scratchpad.conflict_cycles"), 2U);
  EXPECT_EQ(counter("scratchpad.conflicting_accesses"), 1U);
}

TEST_F(LoadStoreSharedBanks, AccessThatWaitsBlocksThoseBehindIt) {
  read_registers(0, {1000, 1001, 1002});
  unit().add(shared(MemoryAction::load, 1, 0), Cycle(1000));
  unit().add(shared(MemoryAction::load, 2, 128), Cycle(1000));
  EXPECT_THAT(advance(1005), ElementsAre(completion(1, 1003 + 20), completion(2, 1004 + 20)));
}

TEST_F(LoadStoreSharedBanks, HitWaitsWhileItsBankIsRead) {
  warm(MemoryPath::global, {3 * 128}, 1000);
  read_registers(3, {1002, 1003});
  EXPECT_EQ(unit().add(load(1, 3 * 128), Cycle(1000)), std::nullopt) << "it may have to wait";
  EXPECT_THAT(advance(1004), IsEmpty());
  EXPECT_THAT(advance(1005), ElementsAre(completion(1, 1004 + 20)));
  EXPECT_EQ(counter("l1.hits"), 1U);
}

TEST_F(LoadStoreSharedBanks, MissDoesNotAccessItsBank) {
  read_registers(0, {1002});
  unit().add(load(1, 0), Cycle(1000));
  advance(1003);
  EXPECT_EQ(counter("l1.misses"), 1U);
  EXPECT_EQ(counter("banks.accesses"), 0U);
}

TEST_F(LoadStoreSharedBanks, StoreWritesItsLineOnlyIfItIsInTheL1) {
  warm(MemoryPath::global, {0}, 1000);
  write_registers(0, {1002, 1003});
  unit().add(instruction(MemoryAction::store, 1, 0), Cycle(1000));
  advance(1004);
  EXPECT_THAT(take_requests(), IsEmpty());
  advance(1005);
  EXPECT_EQ(take_requests().size(), 1U);
  write_registers(1, {2002});
  unit().add(instruction(MemoryAction::store, 1, 128), Cycle(2000));
  advance(2003);
  EXPECT_EQ(take_requests().size(), 1U) << "the line is not in the L1";
}

TEST_F(LoadStoreSharedBanks, ScratchpadStoreWaitsForTheFillOfALineInItsBank) {
  unit().add(load(1, 0), Cycle(0));
  advance(100);
  respond(take_requests().front(), 990);
  const std::vector<MemoryCompletion> done = advance(999);
  ASSERT_EQ(done.size(), 1U);
  const std::uint64_t filled = done.front().at.number;
  // The line is written to bank 0 in the next cycle.
  unit().add(shared(MemoryAction::store, 2, 0), Cycle(999));
  unit().add(shared(MemoryAction::load, 3, 128), Cycle(999));
  EXPECT_LT(filled, 999U);
  EXPECT_THAT(advance(1001), ElementsAre(completion(3, 1000 + 20)));
  EXPECT_EQ(counter("banks.buffered_writes"), 1U);
  EXPECT_EQ(counter("banks.conflict_cycles"), 0U) << "the fill was written at " << filled + 1;
}

TEST_F(LoadStoreSharedBanks, AtomicOccupiesTheReadPortThenTheWritePort) {
  MemoryInstruction atomic = shared(MemoryAction::atomic, 1, 0);
  atomic.lanes = LaneMask::first_lanes(1);
  unit().add(atomic, Cycle(1000));
  unit().add(shared(MemoryAction::store, 2, 0), Cycle(1000));
  unit().add(shared(MemoryAction::load, 3, 0), Cycle(1000));
  // The atomic reads at 1000 and writes at 1001, so the store writes at 1002.
  EXPECT_THAT(advance(1004), ElementsAre(completion(1, 1000 + 20), completion(3, 1003 + 20)));
}

/// Makes random loads of both kinds, and answers each request after 60 cycles. Returns the
/// completions, by token.
std::vector<std::uint64_t> LoadStoreSharedBanks::completions_of_random_loads() {
  std::mt19937 random(11);
  std::vector<std::uint64_t> completed(600);
  std::uint32_t token = 0;
  for (std::uint64_t now = 10; now < 40000; ++now) {
    for (const MemoryCompletion& each : advance(now)) completed.at(each.token) = each.at.number;
    for (const memory::Request& request : take_requests()) respond(request, now + 60);
    if (token == completed.size() || random() % 3 != 0) continue;
    const bool is_shared = random() % 2 == 0;
    const std::uint64_t step = 4U << (random() % 4);
    const std::uint64_t address = random() % 64 * 64;
    const MemoryPath path = is_shared ? MemoryPath::shared : MemoryPath::global;
    if (!unit().accepts(path)) continue;
    const MemoryInstruction made =
        with_path(path, instruction(MemoryAction::load, token, address, step));
    if (const std::optional<Cycle> known = unit().add(made, Cycle(now))) {
      completed[token] = known->number;
    }
    ++token;
  }
  EXPECT_EQ(token, completed.size());
  EXPECT_TRUE(unit().idle());
  return completed;
}

TEST_F(LoadStoreSharedBanks, LoadsTakeAsLongAsWithSeparateBanksIfNoRegistersAreAccessed) {
  // An access to the scratchpad of several passes leaves the queue with its last pass, and without
  // shared banks with its first. Hits of other loads bypass the queue. With space for all loads,
  // this makes no difference.
  description.lsu.queue = 600;
  const std::vector<std::uint64_t> with_shared_banks = completions_of_random_loads();
  discard_unit();
  ports.reset();
  EXPECT_EQ(completions_of_random_loads(), with_shared_banks);
}

}  // namespace
}  // namespace heddle::sm
