#pragma once

// Sums the counters of components by name. Components of different kinds may have different
// counters, in a different order.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/counters.h"
#include "gpu/kernel_run.h"

namespace heddle::gpu {

/// Turns `counters` into the counts since `before`.
inline void subtract(std::vector<std::uint64_t>& counters,
                     const std::vector<std::uint64_t>& before) {
  for (std::size_t i = 0; i < counters.size(); ++i) counters[i] -= before[i];
}

class CounterSums {
 public:
  /// Adds a component. Its counters must keep their addresses. Counter names that no earlier
  /// component has are appended.
  void add(const CounterList& component);

  /// The names of all counters. Element i of sums() and of counters_of() belongs to names()[i].
  const std::vector<CounterName>& names() const { return names_; }
  std::size_t components() const { return first_.size(); }
  /// The current sums over all components.
  std::vector<std::uint64_t> sums() const;
  /// The counters of one component; 0 for counters that it does not have.
  std::vector<std::uint64_t> counters_of(std::size_t component) const;

 private:
  struct Source {
    const std::uint64_t* value = nullptr;
    std::uint32_t index = 0;  ///< Index of the counter's name in names_.
  };

  std::uint32_t index_of(const Counter& counter);

  std::vector<CounterName> names_;
  std::vector<Source> sources_;     ///< Of all components, one after another.
  std::vector<std::size_t> first_;  ///< Index in sources_, by component.
};

}  // namespace heddle::gpu
