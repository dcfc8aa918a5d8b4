#pragma once

// The reuse distances of one stream: for each access, how many other lines the stream has accessed
// since its last access to this line. A fully associative LRU cache of more lines than that hits.
//
// The lines are kept on an axis of time, at the place of their last access. A Fenwick tree counts
// the occupied places after a given one (Bennett and Kruskal, LRU Stack Processing). If the axis is
// full, the free places are removed from it. The memory is therefore proportional to the number of
// distinct lines, and the time per access to its logarithm.

#include <cstdint>
#include <vector>

#include "locality/distance_counts.h"
#include "locality/line_table.h"

namespace heddle::locality {

class StackDistances {
 public:
  StackDistances();

  /// Begins another stream.
  void restart();
  /// The next access of the stream. Counts its distance.
  void access(std::uint64_t line, DistanceCounts& counts);

 private:
  static constexpr std::uint32_t kMinPlaces = 64;

  void add_to_tree(std::uint32_t place, std::uint32_t change);
  std::uint32_t occupied_up_to(std::uint32_t place) const;
  void append(std::uint64_t line);
  void compact();

  struct Place {
    std::uint64_t line = 0;
    bool is_occupied = false;
  };
  LineTable place_of_;         ///< The place of each line.
  std::vector<Place> places_;  ///< The axis of time; place 0 is not used.
  std::uint32_t last_ = 0;     ///< The last place in use.
  /// The Fenwick tree. A negative change wraps around, and so do the sums.
  std::vector<std::uint32_t> tree_;
};

}  // namespace heddle::locality
