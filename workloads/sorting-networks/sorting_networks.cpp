#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::sorting_networks_host {
namespace {

struct Extent {
  std::uint32_t arrays = 0;
  /// Of each array: a power of two, greater than the part that one block sorts.
  std::uint32_t length = 0;
};

Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {1, 2048};
    case Size::small:
      return {3, 4096};
    case Size::medium:
      return {5, 16384};
    case Size::large:
    case Size::paper:
      return {3, 131072};
  }
  return {};
}

using Pair = std::pair<std::uint32_t, std::uint32_t>;

class SortingNetworks final : public HostProgram {
 public:
  SortingNetworks(Size size, std::uint64_t seed) : extent_(extent_of(size)) {
    Random random(seed);
    const std::uint32_t count = extent_.arrays * extent_.length;
    for (std::uint32_t i = 0; i < count; ++i) {
      const bool frequent = random.below(4) == 0;  // Equal keys with different values.
      keys_.push_back(frequent ? random.below(100) : static_cast<std::uint32_t>(random.next()));
      values_.push_back(i);
    }
  }

  void run(Gpu& device) override {
    const auto keys = device.upload(keys_, "keys");
    const auto values = device.upload(values_, "values");
    const auto sorted_keys = device.allocate<std::uint32_t>(keys_.size(), "sorted keys");
    const auto sorted_values = device.allocate<std::uint32_t>(keys_.size(), "sorted values");
    const std::uint32_t length = extent_.length;
    const LaunchShape shape{.grid = {extent_.arrays * length / kPerBlock}, .block = {kThreads}};

    device.launch("bitonic_sort_tiles", shape, keys, values, sorted_keys, sorted_values, length);
    for (std::uint32_t size = 2 * kPerBlock; size <= length; size *= 2) {
      for (std::uint32_t stride = size / 2; stride >= kPerBlock; stride /= 2) {
        device.launch("bitonic_merge_step", shape, sorted_keys, sorted_values, length, size,
                      stride);
      }
      device.launch("bitonic_merge_tiles", shape, sorted_keys, sorted_values, length, size);
    }
    bitonic_ = {device.download(sorted_keys), device.download(sorted_values)};

    device.launch("odd_even_sort_tiles", shape, keys, values, sorted_keys, sorted_values);
    for (std::uint32_t size = 2 * kPerBlock; size <= length; size *= 2) {
      for (std::uint32_t stride = size / 2; stride > 0; stride /= 2) {
        device.launch("odd_even_merge_step", shape, sorted_keys, sorted_values, size, stride);
      }
    }
    odd_even_ = {device.download(sorted_keys), device.download(sorted_values)};
  }

  CheckResult check() const override {
    std::vector<Pair> want = pairs_of({keys_, values_});
    for_each_array(want, [](auto begin, auto end) { std::sort(begin, end); });
    CheckResult check;
    compare("bitonic", bitonic_, want, check);
    compare("odd-even", odd_even_, want, check);
    return check;
  }

 private:
  struct Columns {
    std::vector<std::uint32_t> keys, values;
  };

  static std::vector<Pair> pairs_of(const Columns& columns) {
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < columns.keys.size(); ++i) {
      pairs.emplace_back(columns.keys[i], columns.values[i]);
    }
    return pairs;
  }

  template <class Action>
  void for_each_array(std::vector<Pair>& pairs, Action action) const {
    for (auto begin = pairs.begin(); begin != pairs.end(); begin += extent_.length) {
      action(begin, begin + extent_.length);
    }
  }

  /// `want` is sorted by keys and, among equal keys, by values. The networks leave values of equal
  /// keys in any order, so these are sorted before they are compared.
  void compare(const std::string& network, const Columns& got, const std::vector<Pair>& want,
               CheckResult& check) const {
    std::vector<Pair> pairs = pairs_of(got);
    for_each_array(pairs, [](auto begin, auto end) {
      while (begin != end) {
        const auto same = std::find_if(
            begin, end, [key = begin->first](const Pair& pair) { return pair.first != key; });
        std::sort(begin, same);
        begin = same;
      }
    });
    std::vector<std::uint32_t> want_keys, want_values, values;
    for (const auto& [key, value] : want) {
      want_keys.push_back(key);
      want_values.push_back(value);
    }
    for (const Pair& pair : pairs) values.push_back(pair.second);
    check.exact(network + " keys", got.keys, want_keys);
    check.exact(network + " values", values, want_values);
  }

  Extent extent_;
  std::vector<std::uint32_t> keys_, values_;
  Columns bitonic_, odd_even_;
};

const PaperResources kPaperResources{.source = "warpman Table 2",
                                     .registers_per_thread = 17,
                                     .shared_bytes_per_block = 8192,
                                     .blocks_per_sm = 3};

const Registration kRegistration({
    .name = "sorting-networks",
    .summary = "Sorts arrays of pairs by bitonic and by odd-even merge sort",
    .papers = {"warpman Table 2"},
    .kernels = {{"bitonic_sort_tiles", {kThreads}, kPaperResources},
                {"bitonic_merge_step", {kThreads}},
                {"bitonic_merge_tiles", {kThreads}},
                {"odd_even_sort_tiles", {kThreads}, kPaperResources},
                {"odd_even_merge_step", {kThreads}}},
    .make = make_program<SortingNetworks>,
});

}  // namespace
}  // namespace heddle::workload::sorting_networks_host
