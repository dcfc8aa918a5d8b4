#include <algorithm>
#include <utility>
#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::merge_sort_host {
namespace {

using merge_sort::kMergeThreads;
using merge_sort::kSampleStride;
using merge_sort::kSortThreads;
using merge_sort::kSplitThreads;
using merge_sort::kTile;
using merge_sort::Split;

/// Neither a multiple of the tile, nor a power of two of tiles.
std::uint32_t count_of(Size size) {
  switch (size) {
    case Size::tiny:
      return 1'500;
    case Size::small:
      return 15'000;
    case Size::medium:
      return 70'000;
    case Size::large:
    case Size::paper:
      break;
  }
  return 400'000;
}

class MergeSort final : public HostProgram {
 public:
  MergeSort(Size size, std::uint64_t seed) {
    Random random(seed);
    const std::uint32_t count = count_of(size);
    for (std::uint32_t i = 0; i < count; ++i) {
      const bool frequent = random.below(4) == 0;  // Equal keys, whose order must be kept.
      keys_.push_back(frequent ? random.below(50) : static_cast<std::uint32_t>(random.next()));
      values_.push_back(i);
    }
    keys_.back() = ~std::uint32_t{0};  // Equal to the padding of the last tile.
  }

  void run(Gpu& device) override {
    const auto count = static_cast<std::uint32_t>(keys_.size());
    const std::uint32_t samples = blocks_for(count, kSampleStride);
    auto keys = device.upload(keys_, "keys");
    auto values = device.upload(values_, "values");
    auto next_keys = device.allocate<std::uint32_t>(count, "next keys");
    auto next_values = device.allocate<std::uint32_t>(count, "next values");
    const auto splits = device.allocate<Split>(samples, "splits");

    device.launch("sort_tiles", {.grid = {blocks_for(count, kTile)}, .block = {kSortThreads}}, keys,
                  values, next_keys, next_values, count);
    for (std::uint32_t length = kTile; length < count; length *= 2) {
      std::swap(keys, next_keys);
      std::swap(values, next_values);
      device.launch("split_runs",
                    {.grid = {blocks_for(samples, kSplitThreads)}, .block = {kSplitThreads}}, keys,
                    splits, count, length);
      device.launch("merge_splits", {.grid = {samples}, .block = {kMergeThreads}}, keys, values,
                    next_keys, next_values, splits, count, length);
    }
    sorted_keys_ = device.download(next_keys);
    sorted_values_ = device.download(next_values);
  }

  CheckResult check() const override {
    std::vector<std::uint32_t> values(values_);
    std::stable_sort(values.begin(), values.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return keys_[a] < keys_[b]; });
    std::vector<std::uint32_t> keys;
    for (const std::uint32_t value : values) keys.push_back(keys_[value]);
    CheckResult check;
    check.exact("keys", sorted_keys_, keys);
    check.exact("values", sorted_values_, values);
    return check;
  }

 private:
  std::vector<std::uint32_t> keys_, values_;
  std::vector<std::uint32_t> sorted_keys_, sorted_values_;
};

const Registration kRegistration({
    .name = "merge-sort",
    .summary = "Sorts pairs by merging runs, in tiles and then between samples",
    .papers = {"storage Table 4.2"},
    .kernels = {{"sort_tiles", {kSortThreads}},
                {"split_runs", {kSplitThreads}},
                {"merge_splits", {kMergeThreads}}},
    .make = make_program<MergeSort>,
});

}  // namespace
}  // namespace heddle::workload::merge_sort_host
