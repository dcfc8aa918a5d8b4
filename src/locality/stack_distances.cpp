#include "locality/stack_distances.h"

#include <algorithm>

namespace heddle::locality {

StackDistances::StackDistances() : places_(kMinPlaces), tree_(kMinPlaces) {}

void StackDistances::restart() {
  place_of_.clear();
  std::fill(places_.begin(), places_.begin() + last_ + 1, Place{});
  std::fill(tree_.begin(), tree_.end(), 0);
  last_ = 0;
}

void StackDistances::add_to_tree(std::uint32_t place, std::uint32_t change) {
  for (; place < tree_.size(); place += place & (0 - place)) tree_[place] += change;
}

std::uint32_t StackDistances::occupied_up_to(std::uint32_t place) const {
  std::uint32_t sum = 0;
  for (; place > 0; place &= place - 1) sum += tree_[place];
  return sum;
}

void StackDistances::access(std::uint64_t line, DistanceCounts& counts) {
  std::uint32_t& found = place_of_[line];
  if (found == 0) {
    found = 1;  // Replaced below.
    counts.add_first_access();
    return append(line);
  }
  const std::uint32_t place = found;
  if (place == last_) return counts.add_reuse(0);
  const auto lines = static_cast<std::uint32_t>(place_of_.size());
  counts.add_reuse(lines - occupied_up_to(place));
  places_[place].is_occupied = false;
  add_to_tree(place, ~std::uint32_t{0});
  append(line);
}

/// Makes the line the one that was accessed last.
void StackDistances::append(std::uint64_t line) {
  if (last_ + 1 == places_.size()) compact();
  ++last_;
  places_[last_] = {.line = line, .is_occupied = true};
  add_to_tree(last_, 1);
  place_of_[line] = last_;
}

/// Removes free places. Doubles the axis if fewer than half of its places were free.
void StackDistances::compact() {
  std::uint32_t count = 0;
  for (std::uint32_t place = 1; place <= last_; ++place) {
    if (!places_[place].is_occupied) continue;
    places_[++count] = places_[place];
    place_of_[places_[count].line] = count;
  }
  std::fill(places_.begin() + count + 1, places_.end(), Place{});
  if (std::size_t{count} * 2 > places_.size()) {
    places_.resize(places_.size() * 2);
    tree_.resize(places_.size());
  }
  last_ = count;
  std::fill(tree_.begin(), tree_.end(), 0);
  for (std::uint32_t place = 1; place <= count; ++place) add_to_tree(place, 1);
}

}  // namespace heddle::locality
