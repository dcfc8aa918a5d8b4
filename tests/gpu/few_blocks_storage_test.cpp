// A storage policy of a test, as an example: registers that few resident blocks do not need become
// L1. It needs no more than this file.

#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/timing/probe.h"
#include "sm/ids.h"
#include "sm/residency/residency.h"
#include "sm/sm_description.h"
#include "sm/storage/launch_sizes.h"
#include "sm/storage/storage.h"

namespace heddle::sm {
namespace {

struct FewBlocksParameters {
  std::uint32_t most_blocks = 1;

  void declare(config::Declarations& parameters) {
    parameters.number("most_blocks", most_blocks, {.least = 1, .most = kMaxWarps},
                      "resident blocks for which there are registers, at most ('few-blocks')");
  }
};

class FewBlocks final : public StoragePolicy {
 public:
  FewBlocks(const FewBlocksParameters& own, const SmDescription& sm)
      : most_blocks_(own.most_blocks), sm_(sm) {}

  StorageSizes sizes_for(const BlockNeeds& needs) const override {
    StorageSizes sizes = parameter_sizes(sm_);
    const std::uint64_t blocks = std::min(occupancy_of(sm_.residency, needs).blocks, most_blocks_);
    const std::uint64_t used = blocks * ResourcePool(sm_.residency).block(needs).registers;
    const std::uint32_t set_bytes = sm_.memory.l1.cache.ways * sm_.memory.l1.cache.line_bytes;
    const auto sets = static_cast<std::uint32_t>((sizes.registers - used) * 4 / set_bytes);
    sizes.registers -= sets * set_bytes / 4;
    sizes.l1_bytes += std::uint64_t{sets} * set_bytes;
    return sizes;
  }
  StorageSizes largest_sizes() const override { return parameter_sizes(sm_); }

 private:
  std::uint32_t most_blocks_;
  const SmDescription& sm_;
};

const StorageRegistry::Entry few_blocks_entry{
    "few-blocks", "few blocks have registers, and the others' registers are L1",
    [](const FewBlocksParameters& own, const SmDescription& sm) {
      return std::make_unique<FewBlocks>(own, sm);
    }};

}  // namespace
}  // namespace heddle::sm

namespace heddle::gpu::test {
namespace {

/// The largest number of blocks that ran at the same time, out of `blocks`.
std::uint32_t most_at_once(const ProbeRun& run, std::uint32_t blocks) {
  std::uint32_t most = 0;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    std::uint32_t concurrent = 0;
    for (std::uint32_t other = 0; other < blocks; ++other) {
      const bool overlaps = run.stamp(0, 0, other) <= run.stamp(0, 0, block) &&
                            run.stamp(0, 0, block) <= run.stamp(1, 0, other);
      concurrent += overlaps ? 1 : 0;
    }
    most = std::max(most, concurrent);
  }
  return most;
}

TEST(FewBlocksStorage, MovesRegistersOfBlocksToTheL1) {
  const Probe probe{.body = clock(0) + repeat(40, "mad.lo.u32 %r1, %r1, %r1, %lane;\n") + clock(1),
                    .keep = {"%r1"}};
  constexpr std::uint32_t kBlocks = 12;
  for (const std::uint32_t most_blocks : {1U, 3U}) {
    const ProbeRun run(
        probe,
        {"storage.policy=few-blocks", "sm.registers=32768", "l1.bytes=16K", "l1.line_bytes=128",
         "l1.ways=4", "dispatch.latency=40", "storage.most_blocks=" + std::to_string(most_blocks)},
        1, kBlocks);
    const KernelRun& launch = run.chip().last_launch();
    EXPECT_EQ(launch.occupancy.blocks, most_blocks);
    EXPECT_EQ(launch.occupancy.limit, sm::ResidencyLimit::registers);
    EXPECT_EQ(most_at_once(run, kBlocks), most_blocks);
    const sm::StorageSizes sizes = launch.storage_by_kind.at(0);
    EXPECT_EQ(sizes.registers % 128, 0U) << "a set of the L1 has 128 registers";
    EXPECT_LT(sizes.registers, 4096U);
    EXPECT_EQ(sizes.registers * 4 + sizes.l1_bytes, 32768U * 4 + 16384) << "nothing is lost";
  }
}

}  // namespace
}  // namespace heddle::gpu::test
