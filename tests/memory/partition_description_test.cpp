#include "memory/partition/partition_description.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "config/set_parameter.h"
#include "memory/dram/fr_fcfs.h"
#include "memory/partition_bench.h"

namespace heddle::memory {
namespace {

TEST(PartitionDescription, DeclaresPartsUnderTheirNames) {
  PartitionDescription description;
  config::Declarations parameters;
  description.declare(parameters);
  for (const char* const name : {"memory", "l2", "atomic", "dram"}) {
    EXPECT_TRUE(parameters.has_part(name)) << name;
  }
  config::set_parameter(parameters, "l2.write=through");
  config::set_parameter(parameters, "dram.activate=14");
  EXPECT_EQ(description.l2.write, "through");
  EXPECT_EQ(description.dram.policy_parameters.get<BankedDramParameters>().activate, 14U);
  config::set_parameter(parameters, "dram.age_limit=60");
  EXPECT_EQ(description.dram.policy_parameters.get<FrFcfsParameters>().age_limit, 60U);
  EXPECT_THROW(config::set_parameter(parameters, "dram.policy=lifo"), InputError);
  EXPECT_THROW(config::set_parameter(parameters, "l2.interval=0"), InputError);
}

TEST(PartitionDescription, HasConsistentDefaults) { EXPECT_NO_THROW(PartitionMachine().make()); }

TEST(PartitionDescription, RejectsLineThatSpansPartitions) {
  PartitionMachine machine = plain_partition();
  machine.parts.memory.interleave_bytes = 64;
  EXPECT_THROW(machine.make(), InputError);
  machine.parts.l2.present = false;
  EXPECT_NO_THROW(machine.make());
}

TEST(PartitionDescription, RejectsLineThatSpansRows) {
  PartitionMachine machine = plain_partition();
  machine.parts.dram.policy_parameters.get<BankedDramParameters>().row_bytes = 64;
  EXPECT_NO_THROW(machine.make()) << "the policy fixed has no rows";
  for (const char* const policy : {"fcfs", "fcfs-per-bank", "fr-fcfs"}) {
    machine.parts.dram.policy = policy;
    EXPECT_THROW(machine.make(), InputError) << policy;
  }
}

TEST(PartitionDescription, RejectsImpossibleParametersOfParts) {
  PartitionMachine machine = plain_partition();
  machine.parts.l2.sector_bytes = 48;
  EXPECT_THROW(machine.make(), InputError);
  machine = plain_partition();
  machine.parts.dram.transaction_bytes = 48;
  EXPECT_THROW(machine.make(), InputError);
  machine = plain_partition();
  machine.parts.memory.interleave_bytes = 768;
  EXPECT_THROW(machine.make(), InputError);
  machine = plain_partition();
  machine.parts.l2.write = "around";
  EXPECT_THROW(machine.make(), InputError);
}

TEST(PartitionDescription, ReturnsLargestRequestSize) {
  PartitionDescription description = plain_partition().parts;
  EXPECT_EQ(description.block_bytes(), 128U);
  description.l2.present = false;
  EXPECT_EQ(description.block_bytes(), 1024U);
  description.dram.policy_parameters.get<BankedDramParameters>().row_bytes = 512;
  for (const char* const policy : {"fcfs", "fcfs-per-bank", "fr-fcfs"}) {
    description.dram.policy = policy;
    EXPECT_EQ(description.block_bytes(), 512U) << policy;
  }
}

TEST(PartitionDescription, MapsAddressesToPartitions) {
  PartitionDescription description;
  description.memory = {.partitions = 6, .interleave_bytes = 256};
  const AddressMap map = address_map(description);
  EXPECT_EQ(map.channel_of(255), 0U);
  EXPECT_EQ(map.channel_of(256), 1U);
  EXPECT_EQ(map.channel_of(6 * 256), 0U);
}

}  // namespace
}  // namespace heddle::memory
