#include "memory/partition/partition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/partition_bench.h"

namespace heddle::memory {
namespace {

using Times = std::map<std::uint32_t, std::uint64_t>;

PartitionMachine banked_partition() {
  PartitionMachine machine = plain_partition();
  machine.parts.dram.policy = "fr-fcfs";  // tCL 10, tRP 10, tRCD 12, tRAS 25
  return machine;
}
PartitionMachine without_l2() {
  PartitionMachine machine = plain_partition();
  machine.parts.l2.present = false;
  return machine;
}
PartitionMachine writing_through() {
  PartitionMachine machine = plain_partition();
  machine.parts.l2.write = "through";
  return machine;
}

TEST(Partition, AMissTakesThePortMemoryAndThePortBack) {
  PartitionBench bench(plain_partition());
  bench.read(1, 0, 1000);
  // header passes at 1001, first byte 1101, 2 cycles of the pins: 1103; 40 bytes out take 1.25
  // cycles: 1105; the crossbar 40.
  EXPECT_EQ(bench.answers(), (Times{{1, 1145}}));
}

TEST(Partition, AHitTakesTheLatencyOfTheL2) {
  PartitionBench bench(plain_partition());
  bench.read(1, 0, 1000);
  bench.read(2, 0, 2000);
  // 2001, 2051, 2052.25
  EXPECT_EQ(bench.answers(), (Times{{1, 1145}, {2, 2093}}));
  EXPECT_EQ(bench.count("l2.hits"), 1U);
  EXPECT_EQ(bench.count("l2.misses"), 1U);
}

TEST(Partition, AClosedRowIsOpenedFirst) {
  PartitionBench bench(banked_partition());
  bench.read(1, 0, 1000);
  // activate 1001, column 1013, data 1023..1024; out 1025 to 1026.25
  EXPECT_EQ(bench.answers(), (Times{{1, 1067}}));
  EXPECT_EQ(bench.count("dram.row_misses"), 1U);
}

TEST(Partition, AnotherRowIsClosedBefore) {
  PartitionBench bench(banked_partition());
  bench.read(1, 0, 1000);
  bench.read(2, 8 * 2048, 2000);
  // precharge 2001, activate 2011, column 2023, data 2033..2034; out 2035 to 2036.25
  EXPECT_EQ(bench.answers(), (Times{{1, 1067}, {2, 2077}}));
  EXPECT_EQ(bench.count("dram.row_conflicts"), 1U);
}

TEST(Partition, MemoryCountsCyclesOfItsOwnClock) {
  PartitionMachine machine = plain_partition();
  machine.core_mhz = 1400;
  machine.dram_mhz = 924;
  PartitionBench bench(machine);
  bench.read(1, 0, 1000);
  // 1001 core cycles are 660.66 of memory's: 661, 763 done, which is 1156.06; out 1157 to 1158.25.
  EXPECT_EQ(bench.answers(), (Times{{1, 1199}}));
}

TEST(Partition, BanksCountCyclesOfTheirOwnClock) {
  PartitionMachine machine = banked_partition();
  machine.core_mhz = 1400;
  machine.dram_mhz = 924;
  PartitionBench bench(machine);
  bench.read(1, 0, 1000);
  // 661: data 683..684, done 685, which is 1037.88; out 1038 to 1039.25.
  EXPECT_EQ(bench.answers(), (Times{{1, 1080}}));
}

TEST(Partition, AFasterMemoryIsSeenAtTheNextCoreCycle) {
  PartitionMachine machine = plain_partition();
  machine.core_mhz = 3;
  machine.dram_mhz = 7;
  PartitionBench bench(machine);
  bench.read(1, 0, 1000);
  // 1001: 2335.67, so 2336; done 2438, which is 1044.86; out 1045 to 1046.25
  EXPECT_EQ(bench.answers(), (Times{{1, 1087}}));
}

TEST(Partition, TheOverheadOfMemoryIsAddedToItsAnswer) {
  PartitionMachine machine = banked_partition();
  machine.parts.dram.overhead = 200;
  PartitionBench bench(machine);
  bench.read(1, 0, 1000);
  EXPECT_EQ(bench.answers(), (Times{{1, 1267}}));
}

TEST(Partition, AnAnswerIsNotKnownBeforeItIsReady) {
  PartitionBench bench(plain_partition());
  bench.read(1, 0, 1000);
  EXPECT_EQ(bench.answers(1103), (Times{}));
  EXPECT_EQ(bench.answers(1104), (Times{{1, 1145}}));
  bench.read(2, 0, 2000);
  EXPECT_EQ(bench.answers(2051), (Times{}));
  EXPECT_EQ(bench.answers(2052), (Times{{2, 2093}}));
}

TEST(Partition, ARequestForALineOnItsWayIsMerged) {
  PartitionBench bench(plain_partition());
  bench.read(1, 0, 1000);
  bench.read(2, 0, 1010);
  // Both ready at 1103, of 1.25 cycles each: 1104.25 and 1105.5.
  EXPECT_EQ(bench.answers(), (Times{{1, 1145}, {2, 1146}}));
  EXPECT_EQ(bench.count("dram.reads"), 1U);
  EXPECT_EQ(bench.count("l2.merged"), 1U);
}

TEST(Partition, AnotherSectorOfALineOnItsWayIsFetchedForItself) {
  PartitionBench bench(plain_partition());
  bench.read(1, 0, 1000);
  bench.read(2, 32, 1050);
  // 1051: first byte 1151, 1153; out to 1154.25. The first is not kept waiting for it.
  EXPECT_EQ(bench.answers(), (Times{{1, 1145}, {2, 1195}}));
  EXPECT_EQ(bench.count("dram.data_bytes"), 64U);
}

TEST(Partition, WhoNeedsTwoFetchesWaitsForBoth) {
  PartitionBench bench(plain_partition());
  bench.read(1, 0, 1000, 32);
  bench.read(2, 0, 1050, 64);
  // The second sector: 1153; 72 bytes out take 2.25 cycles.
  EXPECT_EQ(bench.answers(), (Times{{1, 1145}, {2, 1196}}));
  EXPECT_EQ(bench.count("dram.reads"), 2U);
  EXPECT_EQ(bench.count("dram.data_bytes"), 64U) << "what is on its way is not fetched again";
}

TEST(Partition, SectorsOnBothSidesOfOneThatIsThereAreTwoFetches) {
  PartitionBench bench(plain_partition());
  bench.read(1, 32, 1000, 32);
  bench.read(2, 0, 2000, 128);
  // 2001: first bytes 2101; 2103 and, 64 bytes later, 2107; 136 bytes out: 2111.25
  EXPECT_EQ(bench.answers(), (Times{{1, 1145}, {2, 2152}}));
  EXPECT_EQ(bench.count("dram.reads"), 3U);
  EXPECT_EQ(bench.count("dram.data_bytes"), 128U);
}

TEST(Partition, WithoutAFreeRegisterAMissWaitsUntilAFetchIsDone) {
  PartitionMachine machine = plain_partition();
  machine.parts.l2.mshrs = 2;
  PartitionBench bench(machine);
  bench.read(1, 0, 1000);
  bench.read(2, 128, 1010);
  bench.read(3, 256, 1020);
  // The third is let in at 1103: 1203, 1205, 1206.25.
  EXPECT_EQ(bench.answers(), (Times{{1, 1145}, {2, 1155}, {3, 1247}}));
  EXPECT_EQ(bench.count("crossbar.blocked_cycles"), 1103U - 1021U);
}

TEST(Partition, AHitBehindAMissThatWaitsWaitsToo) {
  PartitionMachine machine = plain_partition();
  machine.parts.l2.mshrs = 1;
  PartitionBench bench(machine);
  bench.read(1, 512, 0);
  bench.read(2, 0, 1000);
  bench.read(3, 128, 1010);
  bench.read(4, 512, 1020);
  // The fourth accesses at 1104, after the third: 1154, 1155.25.
  EXPECT_EQ(bench.answers(), (Times{{1, 145}, {2, 1145}, {3, 1247}, {4, 1196}}));
}

TEST(Partition, WithoutRoomForMergesARequestWaitsForTheLine) {
  PartitionMachine machine = plain_partition();
  machine.parts.l2.merges = 1;
  PartitionBench bench(machine);
  bench.read(1, 0, 1000);
  bench.read(2, 0, 1010);
  // A hit at 1103.
  EXPECT_EQ(bench.answers(), (Times{{1, 1145}, {2, 1195}}));
  EXPECT_EQ(bench.count("dram.reads"), 1U);
}

TEST(Partition, WhereAllLinesOfTheSetAreOnTheirWayAMissWaits) {
  PartitionMachine machine = plain_partition();
  machine.parts.l2.bytes = 128;
  machine.parts.l2.ways = 1;
  PartitionBench bench(machine);
  bench.read(1, 0, 1000);
  bench.read(2, 128, 1010);
  EXPECT_EQ(bench.answers(), (Times{{1, 1145}, {2, 1247}}));
}

TEST(Partition, WhatIsWrittenWholeIsNotFetched) {
  PartitionBench bench(plain_partition());
  bench.write(32, 1000, 64);
  bench.read(1, 64, 1100);
  // A hit: 1101, 1151, 1152.25.
  EXPECT_EQ(bench.answers(), (Times{{1, 1193}}));
  EXPECT_EQ(bench.count("dram.reads"), 0U);
  EXPECT_EQ(bench.count("dram.writes"), 0U) << "nor written before it is evicted";
  EXPECT_EQ(bench.count("crossbar.bytes_in"), 8U + 64U + 8U);
}

TEST(Partition, OfAWriteTheSectorsInPartsAreFetched) {
  PartitionBench bench(plain_partition());
  bench.write(16, 1000, 96);  // half of sector 0, sectors 1 and 2, half of sector 3
  bench.read(1, 32, 1010, 64);
  bench.read(2, 0, 1020);
  // The write's 104 bytes pass at 1004 (3.25 cycles), its fetches are done at 1106 and 1108. What
  // is covered is there: 1011, 1061, 72 bytes out to 1063.25. Sector 0: 1106, to 1107.25.
  EXPECT_EQ(bench.answers(), (Times{{1, 1104}, {2, 1148}}));
  EXPECT_EQ(bench.count("dram.reads"), 2U);
  EXPECT_EQ(bench.count("dram.data_bytes"), 64U);
}

TEST(Partition, AnEvictedLinesDirtySectorsAreWrittenAfterTheFetch) {
  PartitionMachine machine = plain_partition();
  machine.parts.l2.bytes = 128;
  machine.parts.l2.ways = 1;
  PartitionBench bench(machine);
  bench.write(0, 1000, 32);
  bench.write(64, 1010, 64);
  bench.read(1, 128, 1100);
  bench.read(2, 256, 2000);
  EXPECT_EQ(bench.answers(), (Times{{1, 1245}, {2, 2145}})) << "as if nothing had been written";
  EXPECT_EQ(bench.count("dram.writes"), 2U) << "one of 32 bytes, one of 64";
  EXPECT_EQ(bench.count("dram.data_bytes"), 96U + 64U);
  EXPECT_EQ(bench.count("l2.evictions"), 2U);
  EXPECT_EQ(bench.count("l2.writebacks"), 1U);
}

TEST(Partition, AWriteToALineOnItsWayDoesNotWait) {
  PartitionMachine machine = plain_partition();
  machine.parts.l2.mshrs = 1;
  machine.parts.l2.merges = 1;
  PartitionBench bench(machine);
  bench.read(1, 0, 1000);
  bench.write(4, 1010, 4);
  bench.read(2, 4096, 1200);
  EXPECT_EQ(bench.answers(), (Times{{1, 1145}, {2, 1345}}));
  EXPECT_EQ(bench.count("crossbar.blocked_cycles"), 0U);
}

TEST(Partition, WritingThroughGoesToMemoryAndMakesNoLine) {
  PartitionBench bench(writing_through());
  bench.write(0, 1000, 32);
  bench.read(1, 0, 2000);
  bench.write(0, 3000, 32);
  bench.read(2, 0, 4000);
  EXPECT_EQ(bench.answers(), (Times{{1, 2145}, {2, 4093}})) << "a miss, then a hit";
  EXPECT_EQ(bench.count("dram.writes"), 2U);
}

TEST(Partition, WithoutAnL2AllGoesToMemory) {
  PartitionBench bench(without_l2());
  bench.read(1, 0, 1000);
  bench.read(2, 0, 2000);
  bench.write(0, 3000);
  EXPECT_EQ(bench.answers(), (Times{{1, 1145}, {2, 2145}}));
  EXPECT_EQ(bench.count("dram.reads"), 2U);
  EXPECT_EQ(bench.count("dram.writes"), 1U);
}

TEST(Partition, AFullQueueOfMemoryHoldsUpWhoNeedsIt) {
  PartitionMachine machine = without_l2();
  machine.parts.memory.queue = 1;
  machine.parts.dram.queue_entries = 1;
  PartitionBench bench(machine);
  bench.read(1, 0, 1000);
  bench.read(2, 32, 1000);
  bench.read(3, 64, 1000);
  // The first is with memory until 1103, the second before it; the third can take that one's place
  // at 1103 and enters at 1205. Done at 1103, 1205, 1307.
  EXPECT_EQ(bench.answers(), (Times{{1, 1145}, {2, 1247}, {3, 1349}}));
  EXPECT_EQ(bench.count("crossbar.blocked_cycles"), 1103U - 1003U);
}

TEST(Partition, OfRequestsOfTheSameCycleTheLowerMultiprocessorsGoesFirst) {
  PartitionBench bench(plain_partition());
  bench.send(read_of(3, 0, 1000, 32, 3));
  bench.send(read_of(1, 0, 1000, 32, 1));
  bench.send(read_of(2, 0, 1000, 32, 1));
  bench.send(read_of(0, 0, 1001, 32, 0));
  // One sector for all, ready at 1103: each 1.25 cycles after the one before.
  EXPECT_EQ(bench.answers(), (Times{{1, 1145}, {2, 1146}, {3, 1147}, {0, 1148}}));
}

TEST(Partition, AnswersLeaveInTheOrderInWhichTheyAreReady) {
  PartitionBench bench(plain_partition());
  bench.read(1, 0, 0);
  bench.read(2, 1024, 1000);
  bench.read(3, 0, 1052);
  // The hit, ready at 1103 as the miss is, has been known before.
  EXPECT_EQ(bench.answers(), (Times{{1, 145}, {3, 1145}, {2, 1146}}));
}

TEST(Partition, AccessesAreAnIntervalApart) {
  PartitionMachine machine = plain_partition();
  machine.parts.l2.interval = 4;
  PartitionBench bench(machine);
  bench.read(1, 0, 0);
  bench.read(2, 0, 1000);
  bench.read(3, 0, 1000);
  EXPECT_EQ(bench.answers(), (Times{{1, 145}, {2, 1093}, {3, 1097}}));
}

TEST(Partition, APartitionAmongOthersUsesAllItsSets) {
  PartitionMachine machine = plain_partition();
  machine.parts.memory = {.partitions = 4, .interleave_bytes = 256};
  PartitionBench bench(machine, 2);
  // 16384 bytes of its own: every fourth 256 of the addresses.
  for (std::uint64_t i = 0; i < 128; ++i) {
    const std::uint64_t address = i / 2 * 1024 + 512 + i % 2 * 128;
    bench.read(1, address, 1000 * i, 128);
    bench.read(2, address, 200'000 + 1000 * i, 128);
  }
  bench.answers();
  EXPECT_EQ(bench.count("l2.evictions"), 0U);
  EXPECT_EQ(bench.count("l2.hits"), 128U);
}

TEST(Partition, AnIdlePartitionHasNoNextEvent) {
  PartitionBench bench(plain_partition());
  EXPECT_TRUE(bench.partition->idle());
  EXPECT_EQ(bench.partition->next_event(), Cycle::never());
  bench.read(1, 0, 1000);
  EXPECT_FALSE(bench.partition->idle());
  EXPECT_EQ(bench.partition->next_event(), Cycle(1000));
  bench.partition->advance(Cycle(1103));
  EXPECT_EQ(bench.partition->next_event(), Cycle(1103));
  EXPECT_FALSE(bench.partition->idle());
  bench.partition->advance(Cycle(1104));
  EXPECT_TRUE(bench.partition->idle());
  EXPECT_EQ(bench.partition->next_event(), Cycle::never());
}

}  // namespace
}  // namespace heddle::memory
