#pragma once

// What components count, added up by name: components of different kinds may count different
// things, and in another order.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/counters.h"
#include "gpu/kernel_run.h"

namespace heddle::gpu {

/// What has been counted since `before`.
inline void subtract(std::vector<std::uint64_t>& counters,
                     const std::vector<std::uint64_t>& before) {
  for (std::size_t i = 0; i < counters.size(); ++i) counters[i] -= before[i];
}

class CounterSums {
 public:
  /// One more component, whose counters must stay where they are. Those that none before it has get
  /// a place after all others.
  void add(const CounterList& component);

  /// All that any component counts; the index of what follows.
  const std::vector<CounterName>& names() const { return names_; }
  std::size_t components() const { return first_.size(); }
  /// Over all components, as they stand now.
  std::vector<std::uint64_t> sums() const;
  /// One component's own; 0 for what it does not count.
  std::vector<std::uint64_t> of(std::size_t component) const;

 private:
  struct Source {
    const std::uint64_t* value = nullptr;
    std::uint32_t index = 0;  ///< Of its name.
  };

  std::uint32_t index_of(const Counter& counter);

  std::vector<CounterName> names_;
  std::vector<Source> sources_;     ///< Component by component.
  std::vector<std::size_t> first_;  ///< Of each component's.
};

}  // namespace heddle::gpu
