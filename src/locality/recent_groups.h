#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "locality/sizes.h"

namespace heddle::locality {

/// The last access of a stream to a group of addresses.
struct LastAccess {
  std::uint64_t address = 0;
  std::uint64_t time : 40 = 0;      ///< The number of the access in its stream; 0: no access.
  std::uint64_t site : 23 = 0;      ///< The program counter of the instruction that made it.
  std::uint64_t is_reused : 1 = 0;  ///< For Reading::distance: whether its reuse is counted.
};
static_assert(sizeof(LastAccess) == 16);

/// For each aligned group of 2^n bytes that a stream has accessed within the largest window: its
/// last access. A hash table with open addressing. Groups with older accesses stay until the table
/// is three quarters full, and are then removed together. The table therefore has at most 2^15
/// slots, however long the stream is.
class RecentGroups {
 public:
  /// Memory that tables use while they remove old entries. Several tables can share one object.
  using Scratch = std::vector<LastAccess>;

  explicit RecentGroups(NeighbourhoodBits size) : shift_(size.bits()), slots_(kMinSlots) {}

  /// The number of the group of an address: its multiple of 2^n.
  std::uint64_t group_of(std::uint64_t address) const { return address >> shift_; }
  /// The entry of the address's group, for the access with the number `now`. The caller must
  /// overwrite it with this access. If the group is not in the table, the entry's time is 0. The
  /// reference is valid until the next call.
  LastAccess& enter(std::uint64_t address, std::uint64_t now, Scratch& scratch);
  /// The entry of a group; null if it is not in the table.
  LastAccess* find(std::uint64_t group);
  /// Replaces all entries by those of a table for larger groups. No two addresses in that table may
  /// be in the same group of this one.
  void assign(const RecentGroups& larger);

  std::size_t slot_count() const { return slots_.size(); }

 private:
  static constexpr std::size_t kMinSlots = 16;

  /// The slot of a group's entry; an empty slot if it has none.
  std::size_t slot_of(std::uint64_t group) const;
  void remove_old(std::uint64_t now, Scratch& scratch);
  void insert_all(const std::vector<LastAccess>& entries);

  int shift_;
  std::vector<LastAccess> slots_;  ///< Their number is a power of two.
  std::size_t used_ = 0;           ///< The number of slots with an entry.
  std::size_t last_ = 0;           ///< The slot of the last enter(), which is often the next one.
};

/// Whether an access with the number `now` is within the largest window after an earlier one.
constexpr bool is_within_largest_window(const LastAccess& earlier, std::uint64_t now) {
  return now - earlier.time <= kLargestWindow;
}

}  // namespace heddle::locality
