#include <algorithm>
#include <array>
#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::bucket_sort_host {
namespace {

using bucket_sort::kBlock;
using bucket_sort::kResidentBlock;
using bucket_sort::kSortBlock;

struct Shape {
  int keys;
  /// At most kBlock * kBlock, except in the resident form, because one block must add the blocks'
  /// sums.
  int buckets;
};

Shape shape_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {2'700, 270};
    case Size::small:
      return {60'000, 2'200};
    case Size::medium:
      return {450'000, 13'000};
    case Size::large:
    case Size::paper:
      return {3'000'000, 65'000};
  }
  return {};
}

Shape resident_shape_of(Size size) {
  // Chosen for about as many thread instructions as the large-warps paper ran: 100 to 200 million.
  const int keys = size == Size::medium ? 1'600'000 : shape_of(size).keys;
  return {keys, keys / bucket_sort::kKeysOfResidentBucket};
}

/// Evenly spread keys, keys that cluster around a few values, and keys of a few frequent values.
std::vector<std::uint32_t> make_keys(int count, Random& random) {
  struct Crowd {
    double middle, deviation;
  };
  std::array<Crowd, 6> crowds;
  for (Crowd& crowd : crowds) {
    crowd = {random.uniform(0x1p29, 0x1p32 - 0x1p29), random.uniform(0x1p24, 0x1p28)};
  }
  std::array<std::uint32_t, 10> favourites;
  for (std::uint32_t& key : favourites) key = static_cast<std::uint32_t>(random.next() >> 32);

  std::vector<std::uint32_t> keys;
  keys.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const std::uint32_t thousandth = random.below(1000);
    if (thousandth < 450) {
      keys.push_back(static_cast<std::uint32_t>(random.next() >> 32));
    } else if (thousandth < 998) {
      const Crowd& crowd = crowds[random.below(crowds.size())];
      const double key = crowd.middle + crowd.deviation * random.normal();
      keys.push_back(static_cast<std::uint32_t>(std::clamp(key, 0.0, 0x1p32 - 1)));
    } else {
      keys.push_back(favourites[random.below(favourites.size())]);
    }
  }
  return keys;
}

class BucketSort final : public HostProgram {
 public:
  BucketSort(GridChoice grid, Size size, std::uint64_t seed)
      : grid_(grid),
        shape_(grid == GridChoice::resident ? resident_shape_of(size) : shape_of(size)) {
    Random random(seed);
    keys_ = make_keys(shape_.keys, random);
  }

  void run(Gpu& device) override {
    const auto [count, buckets] = shape_;
    const auto keys = device.upload(keys_, "keys");
    const auto place = device.allocate<std::int32_t>(keys.count, "place");
    const auto placed = device.allocate<std::uint32_t>(keys.count, "placed");
    const auto bucket_count = static_cast<std::size_t>(buckets);
    const auto bucket_size = device.allocate<std::int32_t>(bucket_count, "bucket_size");
    const auto bucket_begin = device.allocate<std::int32_t>(bucket_count, "bucket_begin");
    device.fill(bucket_size, 0);

    if (grid_ == GridChoice::resident) {
      const auto sums = device.allocate<std::int32_t>(2 * kResidentBlock, "sums");
      device.launch("count_keys_resident",
                    device.resident_shape("count_keys_resident", kResidentBlock, keys.count), keys,
                    count, buckets, bucket_size, place);
      device.launch("scan_resident", {.grid = {1}, .block = {kResidentBlock}}, bucket_size,
                    bucket_begin, buckets, sums);
      device.launch("place_keys_resident",
                    device.resident_shape("place_keys_resident", kResidentBlock, keys.count), keys,
                    count, buckets, bucket_begin, place, placed);
      device.launch("sort_buckets_resident",
                    device.resident_shape("sort_buckets_resident", kResidentBlock, bucket_count),
                    placed, bucket_begin, bucket_size, buckets);
    } else {
      const LaunchShape for_keys{.grid = {blocks_for(keys.count, kBlock)}, .block = {kBlock}};
      device.launch("count_keys", for_keys, keys, count, buckets, bucket_size, place);
      compute_prefix_sums(device, bucket_size, bucket_begin, buckets);
      device.launch("place_keys", for_keys, keys, count, buckets, bucket_begin, place, placed);
      device.launch("sort_buckets",
                    {.grid = {blocks_for(bucket_count, kSortBlock)}, .block = {kSortBlock}}, placed,
                    bucket_begin, bucket_size, buckets);
    }
    sorted_ = device.download(placed);
  }

  CheckResult check() const override {
    std::vector<std::uint32_t> want = keys_;
    std::sort(want.begin(), want.end());
    CheckResult check;
    check.exact("sorted keys", sorted_, want);
    return check;
  }

 private:
  /// Writes to each of `sums` the sum of all values before its place.
  static void compute_prefix_sums(Gpu& device, Array<std::int32_t> values, Array<std::int32_t> sums,
                                  int count) {
    const std::uint32_t blocks = blocks_for(values.count, kBlock);
    const auto block_sums = device.allocate<std::int32_t>(blocks, "block_sums");
    const auto block_sums_before = device.allocate<std::int32_t>(blocks, "block_sums_before");
    const auto total = device.allocate<std::int32_t>(1, "total");
    const LaunchShape shape{.grid = {blocks}, .block = {kBlock}};
    device.launch("scan_blocks", shape, values, sums, count, block_sums);
    device.launch("scan_blocks", {.grid = {1}, .block = {kBlock}}, block_sums, block_sums_before,
                  static_cast<int>(blocks), total);
    device.launch("add_block_sums", shape, sums, block_sums_before, count);
  }

  GridChoice grid_;
  Shape shape_;
  std::vector<std::uint32_t> keys_, sorted_;
};

const Registration kRegistration({
    .name = "bucket-sort",
    .summary = "Integers sorted in buckets of unequal size",
    .papers = {"large-warps Table 2"},
    .kernels = {{"count_keys", {kBlock}},
                {"scan_blocks", {kBlock}},
                {"add_block_sums", {kBlock}},
                {"place_keys", {kBlock}},
                {"sort_buckets", {kSortBlock}}},
    .make = make_form<BucketSort, GridChoice::input>,
    .resident = ResidentForm{.kernels = {{"count_keys_resident", {kResidentBlock}},
                                         {"scan_resident", {kResidentBlock}},
                                         {"place_keys_resident", {kResidentBlock}},
                                         {"sort_buckets_resident", {kResidentBlock}}},
                             .make = make_form<BucketSort, GridChoice::resident>},
});

}  // namespace
}  // namespace heddle::workload::bucket_sort_host
