#pragma once

// What each component of a chip counted, by itself.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::gpu {

/// By component, in the order of their numbers, then by counter.
using CountersByComponent = std::vector<std::vector<std::uint64_t>>;

struct EachCounted {
  CountersByComponent sms{};         ///< By the index of Chip::sm_counters().
  CountersByComponent partitions{};  ///< By the index of Chip::partition_counters().

  bool empty() const { return sms.empty(); }
  EachCounted& operator+=(const EachCounted& more) {
    return combine(more, [](std::uint64_t& value, std::uint64_t other) { value += other; });
  }
  EachCounted& operator-=(const EachCounted& less) {
    return combine(less, [](std::uint64_t& value, std::uint64_t other) { value -= other; });
  }

 private:
  template <class Change>
  EachCounted& combine(const EachCounted& with, Change change) {
    apply(sms, with.sms, change);
    apply(partitions, with.partitions, change);
    return *this;
  }
  template <class Change>
  static void apply(CountersByComponent& to, const CountersByComponent& from, Change change) {
    to.resize(std::max(to.size(), from.size()));
    for (std::size_t i = 0; i < from.size(); ++i) {
      to[i].resize(std::max(to[i].size(), from[i].size()));
      for (std::size_t j = 0; j < from[i].size(); ++j) change(to[i][j], from[i][j]);
    }
  }
};

}  // namespace heddle::gpu
