#include "gpu/counter_sums.h"

#include <algorithm>

namespace heddle::gpu {

void CounterSums::add(const CounterList& component) {
  first_source_.push_back(sources_.size());
  for (const Counter& counter : component.all()) {
    sources_.push_back({.value = counter.value, .index = index_of(counter)});
  }
}

std::uint32_t CounterSums::index_of(const Counter& counter) {
  // Most components have the same counters in the same order as all others.
  const std::size_t likely_index = sources_.size() - first_source_.back();
  std::size_t index = likely_index;
  if (likely_index >= names_.size() || names_[likely_index].name != counter.name) {
    index = static_cast<std::size_t>(
        std::find_if(names_.begin(), names_.end(),
                     [&](const CounterName& known) { return known.name == counter.name; }) -
        names_.begin());
  }
  if (index == names_.size()) names_.push_back({counter.name, counter.unit, counter.meaning});
  return static_cast<std::uint32_t>(index);
}

std::vector<std::uint64_t> CounterSums::sums() const {
  std::vector<std::uint64_t> sums(names_.size(), 0);
  for (const Source& source : sources_) sums[source.index] += *source.value;
  return sums;
}

std::vector<std::uint64_t> CounterSums::counters_of(std::size_t component) const {
  std::vector<std::uint64_t> values(names_.size(), 0);
  const std::size_t end =
      component + 1 < first_source_.size() ? first_source_[component + 1] : sources_.size();
  for (std::size_t i = first_source_[component]; i < end; ++i) {
    values[sources_[i].index] += *sources_[i].value;
  }
  return values;
}

}  // namespace heddle::gpu
