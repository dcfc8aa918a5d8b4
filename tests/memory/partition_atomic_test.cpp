// Atomics in a partition. partition_bench.h explains the numbers in comments.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>

#include "memory/partition_bench.h"

namespace heddle::memory {
namespace {

using Times = std::map<std::uint32_t, std::uint64_t>;
using Done = AtomicLog::Done;
using ::testing::ElementsAre;

TEST(PartitionAtomics, RespondAfterPassesAndLatency) {
  PartitionMachine machine = plain_partition();
  machine.parts.atomic.interval = 3;
  PartitionBench bench(machine);
  bench.read(9, 0, 0);
  bench.atomic(1, 0, 1000, 4);
  // The request passes the port at 1001. The unit ends at 1013, the L2 latency at 1063. 12 bytes
  // pass the port at 1064.
  EXPECT_EQ(bench.responses(), (Times{{9, 145}, {1, 1104}}));
  EXPECT_THAT(bench.log.done, ElementsAre(Done{1, 0xf}));
  EXPECT_EQ(bench.count("atomic.unit_cycles"), 12U);
}

TEST(PartitionAtomics, AreSerialisedInTheUnit) {
  PartitionBench bench(plain_partition());
  bench.read(9, 0, 0);
  bench.atomic(1, 0, 1000, 32);
  bench.atomic(2, 0, 1010, 8);
  // The first: the unit ends at 1033, the L2 latency at 1083. The second: 1041, 1091.
  EXPECT_EQ(bench.responses(), (Times{{9, 145}, {1, 1124}, {2, 1132}}));
}

TEST(PartitionAtomics, DoNotDelayReads) {
  PartitionBench bench(plain_partition());
  bench.read(9, 0, 0);
  bench.atomic(1, 0, 1000, 32);
  bench.read(2, 0, 1010);
  EXPECT_EQ(bench.responses(), (Times{{9, 145}, {1, 1124}, {2, 1103}}));
}

TEST(PartitionAtomics, AreNotPerformedBeforeTheirAccess) {
  PartitionBench bench(plain_partition());
  bench.read(9, 0, 0);
  bench.atomic(1, 0, 1000);
  bench.partition->advance(Cycle(1001));
  EXPECT_TRUE(bench.log.done.empty());
  bench.partition->advance(Cycle(1002));
  EXPECT_EQ(bench.log.done.size(), 1U);
}

TEST(PartitionAtomics, AreNotPerformedBeforeTheirSectorArrives) {
  PartitionBench bench(plain_partition());
  bench.atomic(1, 0, 1000);
  bench.partition->advance(Cycle(1103));
  EXPECT_TRUE(bench.log.done.empty());
  bench.partition->advance(Cycle(1104));
  EXPECT_EQ(bench.log.done.size(), 1U);
  // The unit ends at 1104, the L2 latency at 1154. The response passes the port at 1155.
  EXPECT_EQ(bench.responses(), (Times{{1, 1195}}));
}

TEST(PartitionAtomics, ArePerformedInOrderOfArrival) {
  PartitionBench bench(plain_partition());
  bench.atomic(1, 0, 1002, 1, 0);
  bench.atomic(2, 0, 1002, 1, 1);
  bench.atomic(3, 0, 1000, 1, 2);
  bench.atomic(4, 0, 1500, 1, 2);
  bench.responses();
  EXPECT_THAT(bench.log.done, ElementsAre(Done{3, 1}, Done{1, 1}, Done{2, 1}, Done{4, 1}));
  EXPECT_EQ(bench.count("l2.merged"), 2U);
  EXPECT_EQ(bench.count("atomic.performed"), 4U);
}

TEST(PartitionAtomics, MakeTheirLineDirty) {
  PartitionMachine machine = plain_partition();
  machine.parts.l2.bytes = 128;
  machine.parts.l2.ways = 1;
  PartitionBench bench(machine);
  bench.atomic(1, 4, 1000);
  bench.read(2, 128, 2000);
  bench.responses();
  EXPECT_EQ(bench.count("dram.writes"), 1U);
  EXPECT_EQ(bench.count("dram.data_bytes"), 96U);
}

TEST(PartitionAtomics, WriteToMemoryWithWriteThroughL2) {
  PartitionMachine machine = plain_partition();
  machine.parts.l2.write = "through";
  PartitionBench bench(machine);
  bench.atomic(1, 4, 1000);
  bench.atomic(2, 4, 2000);
  EXPECT_EQ(bench.responses(), (Times{{1, 1195}, {2, 2093}}));
  EXPECT_EQ(bench.count("dram.reads"), 1U);
  EXPECT_EQ(bench.count("dram.writes"), 2U);
}

TEST(PartitionAtomics, ReadAndWriteMemoryWithoutL2) {
  PartitionMachine machine = plain_partition();
  machine.parts.l2.present = false;
  PartitionBench bench(machine);
  bench.atomic(1, 4, 1000);
  bench.partition->advance(Cycle(1103));
  EXPECT_TRUE(bench.log.done.empty());
  // The data arrive at 1103. The unit ends at 1104. The response passes the port at 1105.
  EXPECT_EQ(bench.responses(), (Times{{1, 1145}}));
  EXPECT_EQ(bench.count("dram.reads"), 1U);
  EXPECT_EQ(bench.count("dram.writes"), 1U);
}

}  // namespace
}  // namespace heddle::memory
