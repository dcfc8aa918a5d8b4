// The bits of a machine's storage arrays, compared with the counts in papers.

#include "energy/storage_bits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <utility>

#include "base/error.h"
#include "energy/storage.h"

namespace heddle::energy {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

double bits_of(const gpu::Machine& machine, std::string_view array) {
  return mean_bits(storage_of(machine), machine, array);
}

gpu::Machine machine_of(const std::string& name, const std::vector<std::string>& settings = {}) {
  return gpu::load_machine(name, settings);
}

std::set<std::string> names_of(const gpu::Machine& machine) {
  std::set<std::string> names;
  for (const StorageBits& one : storage_of(machine)) names.emplace(one.array.name);
  return names;
}

TEST(StorageBits, MatchThe768BitsOfLargeWarpsInThePaper) {
  const gpu::Machine machine = machine_of("large-warps", {"divergence.policy=large-warp"});
  EXPECT_EQ(bits_of(machine, "large_warp_mask"), 256);
  EXPECT_EQ(bits_of(machine, "large_warp_branch_masks"), 512);
  const std::set<std::string> plain = names_of(machine_of("large-warps"));
  EXPECT_THAT(plain, Not(Contains("large_warp_mask")));
}

TEST(StorageBits, AreZeroForFetchGroups) {
  const gpu::Machine machine = machine_of("large-warps", {"schedule.policy=fetch-groups"});
  EXPECT_THAT(names_of(machine), Contains("fetch_groups"));
  EXPECT_EQ(bits_of(machine, "fetch_groups"), 0);
}

TEST(StorageBits, MatchThe40BitsOfTheWorkloadBufferInThePaper) {
  for (const char* const residency :
       {"partial-block", "partial-block-threshold", "partial-block-dueling"}) {
    const gpu::Machine machine =
        machine_of("warpman", {std::string("residency.policy=") + residency});
    ASSERT_EQ(machine.sm.residency.blocks, 8U);
    EXPECT_EQ(bits_of(machine, "workload_buffer"), 40) << residency;
  }
  EXPECT_THAT(names_of(machine_of("warpman", {"residency.policy=warp-release"})),
              Not(Contains("workload_buffer")));
}

TEST(StorageBits, MatchTheStackAndScoreboardThatPreExecutionReplicates) {
  const gpu::Machine machine = machine_of("preexec");
  EXPECT_EQ(bits_of(machine, "reconvergence_stacks") / 48, 768);
  EXPECT_EQ(bits_of(machine, "scoreboard") / 48, 126);
}

TEST(StorageBits, MatchTheInOrderCommitScoreboardOfThePaper) {
  const gpu::Machine machine = machine_of("ilp", {"dependence.policy=commit-scoreboard"});
  EXPECT_EQ(bits_of(machine, "scoreboard_tags"), 8 * 10);
  EXPECT_EQ(bits_of(machine, "scoreboard_data"), 8736);
  EXPECT_EQ(bits_of(machine, "scoreboard_lists"), 32 * (3 + 3 + 1 + 1));
}

TEST(StorageBits, DependOnTheMachinesParameters) {
  const gpu::Machine machine =
      machine_of("large-warps", {"divergence.policy=large-warp", "divergence.large_warp=128"});
  EXPECT_EQ(bits_of(machine, "large_warp_mask"), 128);
  EXPECT_EQ(bits_of(machine_of("preexec", {"sm.registers=65536"}), "register_file"), 32 * 65536);
}

TEST(StorageBits, AgreeWithTheBytesThatLeak) {
  const std::pair<Component, const char*> same[] = {
      {Component::register_file, "register_file"},
      {Component::shared_memory, "shared_memory"},
      {Component::l1, "l1"},
      {Component::l2, "l2"},
      {Component::constant_cache, "constant_cache"},
      {Component::texture_unit, "texture_cache"},
      {Component::instruction_fetch, "instruction_cache"}};
  for (const gpu::KnownMachine& known_machine : gpu::known_machines()) {
    const gpu::Machine machine = machine_of(std::string(known_machine.name));
    for (const auto& [component, array] : same) {
      const double instances =
          component == Component::l2 ? machine.memory.memory.partitions : machine.chip.sms;
      EXPECT_EQ(bits_of(machine, array), 8 * storage_bytes(machine, component) / instances)
          << known_machine.name << " " << array;
    }
  }
}

TEST(StorageBits, BanksOfUnifiedStorageHoldRegistersScratchpadAndL1) {
  const Component components[] = {Component::register_file, Component::shared_memory,
                                  Component::l1};
  const double fixed_kilobytes[] = {256, 64, 64};
  for (std::size_t i = 0; i < std::size(components); ++i) {
    EXPECT_EQ(mean_bank_bytes(machine_of("unified"), components[i]), 1024 * fixed_kilobytes[i]);
    EXPECT_EQ(mean_bank_bytes(machine_of("unified-384"), components[i]), 1024 * 384);
  }
  EXPECT_EQ(mean_bank_bytes(machine_of("unified-384"), Component::constant_cache), 8192);
}

TEST(StorageBits, AddUpExactlyToTheBitsOfTheChip) {
  for (const gpu::KnownMachine& known_machine : gpu::known_machines()) {
    const std::vector<StorageBits> storage =
        storage_of(machine_of(std::string(known_machine.name)));
    std::uint64_t sum = 0;
    for (const StorageBits& one : storage) sum += *one.bits * one.instances;
    EXPECT_GT(sum, 0U);
    EXPECT_EQ(total_bits(storage), sum) << known_machine.name;
  }
}

TEST(StorageBits, AreSeparateForGroups) {
  const std::string file = testing::TempDir() + "grouped_storage.toml";
  std::ofstream(file) << "based_on = \"ilp\"\n[group.big]\nsms = 10\nl1.bytes = 65536\n";
  const gpu::Machine machine = gpu::load_machine(file);
  std::vector<std::string> l1;
  for (const StorageBits& one : storage_of(machine)) {
    if (one.array.name != "l1") continue;
    l1.push_back(one.group + " " + std::to_string(one.instances) + " " + std::to_string(*one.bits));
  }
  const std::uint64_t others = 8 * machine.sm.memory.l1.cache.bytes;
  EXPECT_THAT(l1, testing::ElementsAre("big 10 524288", " 20 " + std::to_string(others)));
  EXPECT_DOUBLE_EQ(bits_of(machine, "l1"),
                   (10 * 524288.0 + 20.0 * static_cast<double>(others)) / 30);
}

TEST(StorageBits, AreInNoSumIfTheirNumberIsUnknown) {
  const gpu::Machine machine = machine_of(
      "large-warps", {"divergence.policy=dynamic-formation", "schedule.policy=majority"});
  const std::vector<StorageBits> storage = storage_of(machine);
  const auto pool = std::find_if(storage.begin(), storage.end(), [](const StorageBits& one) {
    return one.array.name == "warp_pool";
  });
  ASSERT_NE(pool, storage.end());
  EXPECT_FALSE(pool->bits);
  EXPECT_EQ(bits_of(machine, "warp_pool"), 0);
}

TEST(StorageBits, UseOnlyExistingParametersForEveryPolicy) {
  // Selects every policy in turn that is compatible with the machine's other policies.
  gpu::Machine machine = machine_of("preexec");
  config::Declarations parameters;
  machine.declare(parameters);
  std::set<std::string> names;
  for (const config::Parameter& parameter : parameters.all()) {
    for (const std::string& choice : parameter.choices) {
      try {
        names.merge(names_of(machine_of("preexec", {parameter.name + "=" + choice})));
      } catch (const InputError&) {
      }
    }
  }
  names.merge(names_of(machine_of(
      "large-warps", {"divergence.policy=dynamic-formation", "schedule.policy=majority"})));
  // These policies need a scheduler with an active set.
  names.merge(
      names_of(machine_of("storage", {"operands.policy=managed", "operands.last_results=3"})));
  for (const std::string_view name : storage_names()) {
    EXPECT_THAT(names, Contains(std::string(name)));
  }
}

TEST(StorageBits, CountOperandFilesOfActiveWarpsOrTheirSharedPool) {
  const auto bits = [](const std::vector<std::string>& settings) {
    std::vector<std::string> all{"operands.policy=managed", "operands.entries=4"};
    all.insert(all.end(), settings.begin(), settings.end());
    return bits_of(machine_of("storage", all), "operand_file_registers");
  };
  constexpr double kBitsOfAWord = 32 * 32;
  EXPECT_EQ(bits({}), 8 * 4 * kBitsOfAWord);
  EXPECT_EQ(bits({"operands.active_only=no"}), 32 * 4 * kBitsOfAWord);
  EXPECT_EQ(bits({"operands.keep_at_barriers=yes"}), 32 * 4 * kBitsOfAWord);
  EXPECT_EQ(bits({"operands.pool_words=1"}), 1 * kBitsOfAWord);
  EXPECT_EQ(bits({"operands.pool_words=24"}), 24 * kBitsOfAWord);
  EXPECT_EQ(bits({"operands.pool_words=512"}), 512 * kBitsOfAWord);
}

TEST(StorageBits, StateMeaningAndSource) {
  config::StorageList list(config::StorageList::Scope::all);
  sm::SmDescription{}.storage(list);
  for (const config::StorageArray& array : list.arrays()) {
    EXPECT_THAT(array.meaning, Not(IsEmpty())) << array.name;
    EXPECT_THAT(array.source, Not(IsEmpty())) << array.name;
  }
}

}  // namespace
}  // namespace heddle::energy
