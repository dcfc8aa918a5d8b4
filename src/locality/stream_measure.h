#pragma once

// The measure of locality of one stream of addresses: for each access, whether another access to
// its neighbourhood follows within the next 2^m accesses (Xiang, Toward Efficient SIMT Execution,
// section 5.2.1).
//
// For each size of neighbourhood, the measure finds the first access that follows an access in its
// neighbourhood. The distance between the two decides for all windows at once. The search goes
// backwards: a new access looks up the last access of its group, which it is the first to reuse.

#include <cstdint>
#include <vector>

#include "locality/choices.h"
#include "locality/recent_groups.h"
#include "locality/site_counts.h"

namespace heddle::locality {

class StreamMeasure {
 public:
  explicit StreamMeasure(Reading reading);

  /// Begins another stream: no access reuses one of before.
  void restart() { time_ += kLargestWindow; }
  /// The next access of the stream, which the instruction at `pc` makes. Adds the accesses that it
  /// is the first to reuse to their instructions' counts.
  void access(std::uint64_t address, std::uint32_t pc, SiteCounts& counts);

  /// The host's memory that the tables take.
  std::size_t table_bytes() const;

 private:
  /// Counts a reuse in neighbourhoods of 2^n bytes. `earlier` is the access that is reused.
  void count_reuse(int n, const LastAccess& earlier, SiteCounts& counts) const;
  void refine(std::uint64_t address);
  void access_neighbour(int n, std::uint64_t group, std::uint64_t address, SiteCounts& counts);

  Reading reading_;
  std::uint64_t time_ = 0;  ///< The number of the last access.
  /// All addresses so far are multiples of 2^aligned_bits_. Two of them that are less than that
  /// apart are equal. The tables of smaller neighbourhoods would therefore be equal to that of this
  /// size, and are not used.
  int aligned_bits_ = kMaxBits;
  std::vector<RecentGroups> groups_;  ///< By the bits of the neighbourhood.
  RecentGroups::Scratch scratch_;
};

}  // namespace heddle::locality
