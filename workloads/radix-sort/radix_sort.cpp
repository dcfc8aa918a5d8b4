#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::radix_sort_host {
namespace {

constexpr std::uint32_t kKeyBits = 32;

/// Not a multiple of the block: the last block has threads without a pair.
std::size_t count_of(Size size) {
  switch (size) {
    case Size::tiny:
      return 1'000;
    case Size::small:
      return 20'011;
    case Size::medium:
      return 150'001;
    case Size::large:
    case Size::paper:
      return 1'000'003;
  }
  return 0;
}

/// Keys as in databases: some random, some from few distinct values, some slowly growing like times
/// of day, some small.
std::uint32_t random_key(Random& random, std::uint32_t position) {
  switch (random.below(4)) {
    case 0:
      return static_cast<std::uint32_t>(random.next());
    case 1:
      return 0x01010101u * (random.below(100) + 156);
    case 2:
      return 0x40000000u + position * 3 + random.below(1000);
    default:
      return random.below(5000);
  }
}

class RadixSort final : public HostProgram {
 public:
  RadixSort(Size size, std::uint64_t seed) {
    Random random(seed);
    keys_.resize(count_of(size));
    for (std::uint32_t i = 0; i < keys_.size(); ++i) keys_[i] = random_key(random, i);
    values_.resize(keys_.size());
    std::iota(values_.begin(), values_.end(), 0u);
  }

  void run(Gpu& device) override {
    const auto count = static_cast<std::uint32_t>(keys_.size());
    const std::uint32_t blocks = (count + kThreads - 1) / kThreads;
    const LaunchShape shape{.grid = {blocks}, .block = {kThreads}};

    const auto keys = device.upload(keys_, "keys");
    const auto values = device.upload(values_, "values");
    const auto block_keys = device.allocate<std::uint32_t>(count, "keys sorted by block");
    const auto block_values = device.allocate<std::uint32_t>(count, "values sorted by block");
    const auto counts = device.allocate<std::uint32_t>(kDigits * blocks, "counts of digits");
    const auto starts = device.allocate<std::uint32_t>(kDigits * blocks, "starts of digits");
    for (std::uint32_t shift = 0; shift < kKeyBits; shift += kDigitBits) {
      device.launch("sort_blocks", shape, keys, values, block_keys, block_values, counts, starts,
                    count, shift);
      device.launch("scan_counts", {.grid = {1}, .block = {kThreads}}, counts, blocks);
      device.launch("scatter", shape, block_keys, block_values, counts, starts, keys, values, count,
                    shift);
    }
    sorted_keys_ = device.download(keys);
    sorted_values_ = device.download(values);
  }

  CheckResult check() const override {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs(keys_.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {keys_[i], values_[i]};
    std::ranges::stable_sort(pairs, {}, [](const auto& pair) { return pair.first; });
    std::vector<std::uint32_t> want_keys, want_values;
    for (const auto& [key, value] : pairs) {
      want_keys.push_back(key);
      want_values.push_back(value);
    }
    CheckResult check;
    check.exact("keys", sorted_keys_, want_keys);
    check.exact("values", sorted_values_, want_values);
    return check;
  }

 private:
  std::vector<std::uint32_t> keys_, values_;
  std::vector<std::uint32_t> sorted_keys_, sorted_values_;
};

const Registration kRegistration({
    .name = "radix-sort",
    .summary = "Sorts pairs of a 32-bit key and a value, four bits a pass",
    .papers = {"warpman Table 2"},
    .kernels = {{"sort_blocks",
                 {kThreads},
                 PaperResources{.source = "warpman Table 2",
                                .registers_per_thread = 23,
                                .shared_bytes_per_block = 4096,
                                .blocks_per_sm = 2}},
                {"scan_counts", {kThreads}},
                {"scatter", {kThreads}}},
    .make = make_program<RadixSort>,
});

}  // namespace
}  // namespace heddle::workload::radix_sort_host
