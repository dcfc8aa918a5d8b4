#pragma once

// Sums the counters of a chip's components by name. Components may have different counters, in
// different orders.

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
  /// Adds a component. Its counters must keep their addresses. Appends to names() the counters that
  /// no earlier component has.
  void add(const CounterList& component);

  /// The names of all counters. Element i of sums() and of counters_of() belongs to names()[i].
  const std::vector<CounterName>& names() const { return names_; }
  std::size_t component_count() const { return first_source_.size(); }
  /// The current sums over all components.
  std::vector<std::uint64_t> sums() const;
  /// The counters of one component; 0 for counters that it does not have.
  std::vector<std::uint64_t> counters_of(std::size_t component) const;

 private:
  /// A counter of a component.
  struct Source {
    const std::uint64_t* value = nullptr;
    std::uint32_t index = 0;  ///< Index of the counter's name in names_.
  };

  /// The index in names_ of a counter of the last component. Appends its name if it is new.
  std::uint32_t index_of(const Counter& counter);

  std::vector<CounterName> names_;
  std::vector<Source> sources_;  ///< The counters of all components, one component after another.
  std::vector<std::size_t> first_source_;  ///< By component: the index of its first source.
};

}  // namespace heddle::gpu
