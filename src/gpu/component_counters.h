#pragma once

// The counters of a chip by component. A component is a multiprocessor or a memory partition.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::gpu {

/// Element [i][j] is counter j of component i, or of all components of kind i.
using CountersByComponent = std::vector<std::vector<std::uint64_t>>;

struct ComponentCounters {
  CountersByComponent sms{};         ///< Indexed like Chip::sm_counters().
  CountersByComponent partitions{};  ///< Indexed like Chip::partition_counters().

  bool empty() const { return sms.empty(); }
  ComponentCounters& operator+=(const ComponentCounters& more) {
    return combine(more, [](std::uint64_t& value, std::uint64_t other) { value += other; });
  }
  ComponentCounters& operator-=(const ComponentCounters& less) {
    return combine(less, [](std::uint64_t& value, std::uint64_t other) { value -= other; });
  }

 private:
  template <class Change>
  ComponentCounters& combine(const ComponentCounters& with, Change change) {
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
