#pragma once

// Resources by warps: those of a warp are free when it has ended, and one block may be in part
// there. It is let in when there are registers and a place for one of its warps; the others are in
// the workload buffer and start in their order as warps end, and no other block comes before them.
// Xiang et al., Warp-Level Divergence in GPUs, section 4.
//
// As all other blocks are there as a whole, they come to their end, and leave what the partial one
// lacks: it fits on an empty multiprocessor, or its launch would have been refused. Only blocks
// that wait for each other, those of a cooperative launch, would wait for ever, and are let in as a
// whole.
//
// The buffer's five fields (section 4.2, 40 bits) are kept where the blocks are, sm/residents.h:
// the block's place and its index, the first warp that waits and the last, and whether any does.

#include <algorithm>
#include <cstdint>

#include "sm/residency/residency.h"

namespace heddle::sm {

/// Of one block, which has 32 warps at most. 26 bits number the blocks of the largest grid.
inline void add_workload_buffer(config::StorageList& list) {
  list.add({.name = "workload_buffer",
            .bits = "bits(sm.blocks) + 26 + 2 * bits(32) + 1",
            .meaning =
                "of a block in part: its place, its number, the first and the last warp that "
                "wait, and whether any does",
            .source = "Xiang et al., Warp-Level Divergence in GPUs, section 4.2"});
}

class PartialBlocks : public Residency {
 public:
  explicit PartialBlocks(const ResidencyDescription& has) : Residency(has), places_(has.warps) {}

  bool fits(const BlockNeeds& needs) const final {
    return waiting_ == 0 && (fits_whole(needs) || fits_in_part(needs));
  }
  Cycle room_since(const BlockNeeds& needs) const final {
    Cycle since = Cycle::never();
    if (fits_whole(needs)) since = pool_.room_since(whole_of(needs));
    if (fits_in_part(needs)) since = std::min(since, pool_.room_since(first_of(needs)));
    return std::max({since, limit_since(), buffer_empty_since_});
  }
  void take(const BlockNeeds& needs) final { pool_.allocate(pool_.frame(needs)); }
  std::uint32_t admit_warps(const BlockNeeds& needs, std::uint32_t waiting, Cycle at) final {
    std::uint32_t room = pool_.room_for_warps(needs);
    const std::uint64_t there = pool_.allocated().warps;
    const bool is_whole =
        waiting_ == 0 && room >= waiting && there + waiting <= most_warps(needs, false);
    // A block that is alone goes on whatever the limit, or it might wait for ever.
    const bool is_alone = pool_.allocated().blocks == 1;
    if (!is_whole && !is_alone) {
      const std::uint64_t most = most_warps(needs, true);
      room =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(room, most - std::min(there, most)));
    }
    const std::uint32_t admitted = std::min(room, waiting);
    pool_.allocate(pool_.warps(needs, admitted));
    if (waiting_ > 0 && admitted == waiting) buffer_empty_since_ = at;
    waiting_ = waiting - admitted;
    return admitted;
  }
  void warp_ended(const BlockNeeds& needs, Cycle at) final {
    pool_.release(pool_.warps(needs, 1), at);
  }
  void block_ended(const BlockNeeds& needs, Cycle at) final {
    pool_.release(pool_.frame(needs), at);
  }

 protected:
  /// How many warps may be there when one more of a block that is there in part starts, or a whole
  /// block; and since when it has been so many.
  virtual std::uint32_t most_warps(const BlockNeeds&, [[maybe_unused]] bool in_part) const {
    return places_;
  }
  virtual Cycle limit_since() const { return {}; }

  std::uint32_t places() const { return places_; }
  /// What an empty multiprocessor would let in of whole blocks alone.
  std::uint32_t warps_of_whole_blocks(const BlockNeeds& needs) const {
    return occupancy(needs).blocks * needs.warps;
  }

 private:
  bool fits_whole(const BlockNeeds& needs) const { return pool_.has_room(whole_of(needs)); }
  bool fits_in_part(const BlockNeeds& needs) const {
    return !needs.as_a_whole && pool_.has_room(first_of(needs));
  }
  Allocation whole_of(const BlockNeeds& needs) const {
    return within_limit(pool_.block(needs), most_warps(needs, false));
  }
  Allocation first_of(const BlockNeeds& needs) const {
    Allocation first = pool_.frame(needs);
    first += pool_.warps(needs, 1);
    return within_limit(first, most_warps(needs, true));
  }
  /// With the places that are to stay free.
  Allocation within_limit(Allocation wanted, std::uint32_t most) const {
    wanted.warps += places_ - std::min(most, places_);
    return wanted;
  }

  std::uint32_t places_;
  std::uint32_t waiting_ = 0;  ///< Warps in the workload buffer.
  Cycle buffer_empty_since_;
};

}  // namespace heddle::sm
