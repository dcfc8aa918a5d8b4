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
PartitionMachine with_write_through() {
  PartitionMachine machine = plain_partition();
  machine.parts.l2.write = "through";
  return machine;
}

TEST(Partition, MissTakesPortMemoryAndPortBack) {
  PartitionBench bench(plain_partition());
  bench.read(1, 0, 1000);
  // The header passes the port at 1001. The first byte arrives at 1101, the last at 1103. 40 bytes
  // take 1.25 cycles of the port, so the response is sent at 1105. The crossbar takes 40 cycles.
  EXPECT_EQ(bench.responses(), (Times{{1, 1145}}));
}

TEST(Partition, HitTakesL2Latency) {
  PartitionBench bench(plain_partition());
  bench.read(1, 0, 1000);
  bench.read(2, 0, 2000);
  // The hit: port 2001, data 2051, response sent 2052.25.
  EXPECT_EQ(bench.responses(), (Times{{1, 1145}, {2, 2093}}));
  EXPECT_EQ(bench.count("l2.hits"), 1U);
  EXPECT_EQ(bench.count("l2.misses"), 1U);
}

TEST(Partition, ActivatesClosedRow) {
  PartitionBench bench(banked_partition());
  bench.read(1, 0, 1000);
  // activate 1001, column 1013, data 1023..1024; response 1025 to 1026.25
  EXPECT_EQ(bench.responses(), (Times{{1, 1067}}));
  EXPECT_EQ(bench.count("dram.row_misses"), 1U);
}

TEST(Partition, PrechargesConflictingRow) {
  PartitionBench bench(banked_partition());
  bench.read(1, 0, 1000);
  bench.read(2, 8 * 2048, 2000);
  // precharge 2001, activate 2011, column 2023, data 2033..2034; response 2035 to 2036.25
  EXPECT_EQ(bench.responses(), (Times{{1, 1067}, {2, 2077}}));
  EXPECT_EQ(bench.count("dram.row_conflicts"), 1U);
}

TEST(Partition, FixedMemoryUsesDramClock) {
  PartitionMachine machine = plain_partition();
  machine.core_mhz = 1400;
  machine.dram_mhz = 924;
  PartitionBench bench(machine);
  bench.read(1, 0, 1000);
  // Core cycle 1001 is DRAM cycle 660.66, so memory begins at 661. It ends at 763, which is core
  // cycle 1156.06. The response passes the port from 1157 to 1158.25.
  EXPECT_EQ(bench.responses(), (Times{{1, 1199}}));
}

TEST(Partition, BankedMemoryUsesDramClock) {
  PartitionMachine machine = banked_partition();
  machine.core_mhz = 1400;
  machine.dram_mhz = 924;
  PartitionBench bench(machine);
  bench.read(1, 0, 1000);
  // Memory begins at DRAM cycle 661: data 683..684. It ends at 685, which is core cycle 1037.88.
  // The response passes the port from 1038 to 1039.25.
  EXPECT_EQ(bench.responses(), (Times{{1, 1080}}));
}

TEST(Partition, RoundsFasterMemoryUpToCoreCycle) {
  PartitionMachine machine = plain_partition();
  machine.core_mhz = 3;
  machine.dram_mhz = 7;
  PartitionBench bench(machine);
  bench.read(1, 0, 1000);
  // Core cycle 1001 is DRAM cycle 2335.67, so memory begins at 2336. It ends at 2438, which is core
  // cycle 1044.86. The response passes the port from 1045 to 1046.25.
  EXPECT_EQ(bench.responses(), (Times{{1, 1087}}));
}

TEST(Partition, AddsDramOverheadToResponse) {
  PartitionMachine machine = banked_partition();
  machine.parts.dram.overhead = 200;
  PartitionBench bench(machine);
  bench.read(1, 0, 1000);
  EXPECT_EQ(bench.responses(), (Times{{1, 1267}}));
}

TEST(Partition, ReportsResponseOnlyWhenReady) {
  PartitionBench bench(plain_partition());
  bench.read(1, 0, 1000);
  EXPECT_EQ(bench.responses(1103), (Times{}));
  EXPECT_EQ(bench.responses(1104), (Times{{1, 1145}}));
  bench.read(2, 0, 2000);
  EXPECT_EQ(bench.responses(2051), (Times{}));
  EXPECT_EQ(bench.responses(2052), (Times{{2, 2093}}));
}

TEST(Partition, MergesRequestForLineInFlight) {
  PartitionBench bench(plain_partition());
  bench.read(1, 0, 1000);
  bench.read(2, 0, 1010);
  // Both are ready at 1103 and take 1.25 cycles each: 1104.25 and 1105.5.
  EXPECT_EQ(bench.responses(), (Times{{1, 1145}, {2, 1146}}));
  EXPECT_EQ(bench.count("dram.reads"), 1U);
  EXPECT_EQ(bench.count("l2.merged"), 1U);
}

TEST(Partition, FetchesOtherSectorOfLineInFlight) {
  PartitionBench bench(plain_partition());
  bench.read(1, 0, 1000);
  bench.read(2, 32, 1050);
  // Request 2: port 1051, data 1151 to 1153, response sent 1154.25. Request 1 does not wait for it.
  EXPECT_EQ(bench.responses(), (Times{{1, 1145}, {2, 1195}}));
  EXPECT_EQ(bench.count("dram.data_bytes"), 64U);
}

TEST(Partition, WaitsForAllFetchesOfARequest) {
  PartitionBench bench(plain_partition());
  bench.read(1, 0, 1000, 32);
  bench.read(2, 0, 1050, 64);
  // The second sector arrives at 1153. The response of 72 bytes takes 2.25 cycles.
  EXPECT_EQ(bench.responses(), (Times{{1, 1145}, {2, 1196}}));
  EXPECT_EQ(bench.count("dram.reads"), 2U);
  EXPECT_EQ(bench.count("dram.data_bytes"), 64U) << "a sector in flight must not be fetched again";
}

TEST(Partition, FetchesSectorsAroundValidOneSeparately) {
  PartitionBench bench(plain_partition());
  bench.read(1, 32, 1000, 32);
  bench.read(2, 0, 2000, 128);
  // Request 2: port 2001. Sector 0 arrives at 2103, sectors 2 and 3 arrive at 2107. The response of
  // 136 bytes is sent at 2111.25.
  EXPECT_EQ(bench.responses(), (Times{{1, 1145}, {2, 2152}}));
  EXPECT_EQ(bench.count("dram.reads"), 3U);
  EXPECT_EQ(bench.count("dram.data_bytes"), 128U);
}

TEST(Partition, StallsMissWithoutFreeMshr) {
  PartitionMachine machine = plain_partition();
  machine.parts.l2.mshrs = 2;
  PartitionBench bench(machine);
  bench.read(1, 0, 1000);
  bench.read(2, 128, 1010);
  bench.read(3, 256, 1020);
  // The third request accesses at 1103: data 1203 to 1205, response sent 1206.25.
  EXPECT_EQ(bench.responses(), (Times{{1, 1145}, {2, 1155}, {3, 1247}}));
  EXPECT_EQ(bench.count("crossbar.blocked_cycles"), 1103U - 1021U);
}

TEST(Partition, StallsHitBehindStalledMiss) {
  PartitionMachine machine = plain_partition();
  machine.parts.l2.mshrs = 1;
  PartitionBench bench(machine);
  bench.read(1, 512, 0);
  bench.read(2, 0, 1000);
  bench.read(3, 128, 1010);
  bench.read(4, 512, 1020);
  // The fourth request hits at 1104, after the third: data 1154, response sent 1155.25.
  EXPECT_EQ(bench.responses(), (Times{{1, 145}, {2, 1145}, {3, 1247}, {4, 1196}}));
}

TEST(Partition, StallsRequestWithoutFreeMerge) {
  PartitionMachine machine = plain_partition();
  machine.parts.l2.merges = 1;
  PartitionBench bench(machine);
  bench.read(1, 0, 1000);
  bench.read(2, 0, 1010);
  // The second request hits at 1103.
  EXPECT_EQ(bench.responses(), (Times{{1, 1145}, {2, 1195}}));
  EXPECT_EQ(bench.count("dram.reads"), 1U);
}

TEST(Partition, StallsMissIfWholeSetIsPending) {
  PartitionMachine machine = plain_partition();
  machine.parts.l2.bytes = 128;
  machine.parts.l2.ways = 1;
  PartitionBench bench(machine);
  bench.read(1, 0, 1000);
  bench.read(2, 128, 1010);
  EXPECT_EQ(bench.responses(), (Times{{1, 1145}, {2, 1247}}));
}

TEST(Partition, DoesNotFetchFullyWrittenSectors) {
  PartitionBench bench(plain_partition());
  bench.write(32, 1000, 64);
  bench.read(1, 64, 1100);
  // The read hits: port 1101, data 1151, response sent 1152.25.
  EXPECT_EQ(bench.responses(), (Times{{1, 1193}}));
  EXPECT_EQ(bench.count("dram.reads"), 0U);
  EXPECT_EQ(bench.count("dram.writes"), 0U) << "dirty data must stay until eviction";
  EXPECT_EQ(bench.count("crossbar.bytes_in"), 8U + 64U + 8U);
}

TEST(Partition, FetchesPartlyWrittenSectors) {
  PartitionBench bench(plain_partition());
  bench.write(16, 1000, 96);  // Half of sector 0, sectors 1 and 2, half of sector 3.
  bench.read(1, 32, 1010, 64);
  bench.read(2, 0, 1020);
  // The write's 104 bytes pass at 1004 (3.25 cycles), and its fetches are done at 1106 and 1108.
  // Request 1 hits in the fully covered sectors: port 1011, data 1061, response of 72 bytes sent
  // 1063.25. Request 2 waits for sector 0: data 1106, response sent 1107.25.
  EXPECT_EQ(bench.responses(), (Times{{1, 1104}, {2, 1148}}));
  EXPECT_EQ(bench.count("dram.reads"), 2U);
  EXPECT_EQ(bench.count("dram.data_bytes"), 64U);
}

TEST(Partition, WritesDirtySectorsOfVictimAfterTheFetch) {
  PartitionMachine machine = plain_partition();
  machine.parts.l2.bytes = 128;
  machine.parts.l2.ways = 1;
  PartitionBench bench(machine);
  bench.write(0, 1000, 32);
  bench.write(64, 1010, 64);
  bench.read(1, 128, 1100);
  bench.read(2, 256, 2000);
  EXPECT_EQ(bench.responses(), (Times{{1, 1245}, {2, 2145}}))
      << "the writes must not delay the reads";
  EXPECT_EQ(bench.count("dram.writes"), 2U) << "expected one write of 32 bytes and one of 64";
  EXPECT_EQ(bench.count("dram.data_bytes"), 96U + 64U);
  EXPECT_EQ(bench.count("l2.evictions"), 2U);
  EXPECT_EQ(bench.count("l2.writebacks"), 1U);
}

TEST(Partition, DoesNotStallWriteToLineInFlight) {
  PartitionMachine machine = plain_partition();
  machine.parts.l2.mshrs = 1;
  machine.parts.l2.merges = 1;
  PartitionBench bench(machine);
  bench.read(1, 0, 1000);
  bench.write(4, 1010, 4);
  bench.read(2, 4096, 1200);
  EXPECT_EQ(bench.responses(), (Times{{1, 1145}, {2, 1345}}));
  EXPECT_EQ(bench.count("crossbar.blocked_cycles"), 0U);
}

TEST(Partition, WriteThroughAllocatesNoLine) {
  PartitionBench bench(with_write_through());
  bench.write(0, 1000, 32);
  bench.read(1, 0, 2000);
  bench.write(0, 3000, 32);
  bench.read(2, 0, 4000);
  EXPECT_EQ(bench.responses(), (Times{{1, 2145}, {2, 4093}})) << "expected a miss, then a hit";
  EXPECT_EQ(bench.count("dram.writes"), 2U);
}

TEST(Partition, SendsAllRequestsToMemoryWithoutL2) {
  PartitionBench bench(without_l2());
  bench.read(1, 0, 1000);
  bench.read(2, 0, 2000);
  bench.write(0, 3000);
  EXPECT_EQ(bench.responses(), (Times{{1, 1145}, {2, 2145}}));
  EXPECT_EQ(bench.count("dram.reads"), 2U);
  EXPECT_EQ(bench.count("dram.writes"), 1U);
}

TEST(Partition, StallsIfMemoryQueueIsFull) {
  PartitionMachine machine = without_l2();
  machine.parts.memory.queue = 1;
  machine.parts.dram.queue_entries = 1;
  PartitionBench bench(machine);
  bench.read(1, 0, 1000);
  bench.read(2, 32, 1000);
  bench.read(3, 64, 1000);
  // The first request is in the channel until 1103, and the second in the memory queue. At 1103,
  // the second enters the channel, and the third enters the queue. They are done at 1103, 1205 and
  // 1307.
  EXPECT_EQ(bench.responses(), (Times{{1, 1145}, {2, 1247}, {3, 1349}}));
  EXPECT_EQ(bench.count("crossbar.blocked_cycles"), 1103U - 1003U);
}

TEST(Partition, OrdersRequestsOfACycleByMultiprocessor) {
  PartitionBench bench(plain_partition());
  bench.send(read_of(3, 0, 1000, 32, 3));
  bench.send(read_of(1, 0, 1000, 32, 1));
  bench.send(read_of(2, 0, 1000, 32, 1));
  bench.send(read_of(0, 0, 1001, 32, 0));
  // All requests wait for one sector, which arrives at 1103. Each response takes 1.25 cycles.
  EXPECT_EQ(bench.responses(), (Times{{1, 1145}, {2, 1146}, {3, 1147}, {0, 1148}}));
}

TEST(Partition, SendsResponsesInOrderOfReadiness) {
  PartitionBench bench(plain_partition());
  bench.read(1, 0, 0);
  bench.read(2, 1024, 1000);
  bench.read(3, 0, 1052);
  // The hit and the miss are both ready at 1103, but the hit was known earlier.
  EXPECT_EQ(bench.responses(), (Times{{1, 145}, {3, 1145}, {2, 1146}}));
}

TEST(Partition, SpacesAccessesByInterval) {
  PartitionMachine machine = plain_partition();
  machine.parts.l2.interval = 4;
  PartitionBench bench(machine);
  bench.read(1, 0, 0);
  bench.read(2, 0, 1000);
  bench.read(3, 0, 1000);
  EXPECT_EQ(bench.responses(), (Times{{1, 145}, {2, 1093}, {3, 1097}}));
}

TEST(Partition, UsesAllSetsWithSeveralPartitions) {
  PartitionMachine machine = plain_partition();
  machine.parts.memory = {.partitions = 4, .interleave_bytes = 256};
  PartitionBench bench(machine, 2);
  // 16384 bytes of this partition: every fourth block of 256 bytes.
  for (std::uint64_t i = 0; i < 128; ++i) {
    const std::uint64_t address = i / 2 * 1024 + 512 + i % 2 * 128;
    bench.read(1, address, 1000 * i, 128);
    bench.read(2, address, 200'000 + 1000 * i, 128);
  }
  bench.responses();
  EXPECT_EQ(bench.count("l2.evictions"), 0U);
  EXPECT_EQ(bench.count("l2.hits"), 128U);
}

TEST(Partition, HasNoNextEventWhenIdle) {
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
