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
  /// Warps of a block that is there in part leave so many places free; 0 if all may be taken.
  explicit PartialBlocks(const ResidencyDescription& has, std::uint32_t places_left = 0)
      : Residency(has), places_(has.warps), places_left_(places_left) {}

  bool fits(const BlockNeeds& needs) const final {
    return waiting_ == 0 && (fits_whole(needs) || fits_in_part(needs));
  }
  Cycle room_since(const BlockNeeds& needs) const final {
    Cycle since = Cycle::never();
    if (fits_whole(needs)) since = pool_.room_since(pool_.block(needs));
    if (fits_in_part(needs)) {
      since = std::min(since, std::max(pool_.room_since(first_of(needs)), parts_since()));
    }
    return std::max(since, buffer_empty_since_);
  }
  void take(const BlockNeeds& needs) final { pool_.allocate(pool_.frame(needs)); }
  /// What fits as a whole starts as a whole, whatever places are to be left: a block that is alone
  /// goes on.
  std::uint32_t admit_warps(const BlockNeeds& needs, std::uint32_t waiting, Cycle at) final {
    const std::uint32_t room = pool_.room_for_warps(needs);
    const std::uint32_t admitted = room >= waiting ? waiting : std::min(room, places_for_parts());
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
  /// Whether blocks are let in in part now, and since when. One that is there goes on in any case.
  virtual bool lets_in_parts() const { return true; }
  virtual Cycle parts_since() const { return {}; }

 private:
  bool fits_whole(const BlockNeeds& needs) const { return pool_.has_room(pool_.block(needs)); }
  bool fits_in_part(const BlockNeeds& needs) const {
    return lets_in_parts() && !needs.as_a_whole && pool_.has_room(first_of(needs));
  }
  Allocation first_of(const BlockNeeds& needs) const {
    Allocation first = pool_.frame(needs);
    first += pool_.warps(needs, 1);
    first.warps += places_left_;
    return first;
  }
  std::uint32_t places_for_parts() const {
    const std::uint64_t taken = pool_.allocated().warps + places_left_;
    return taken < places_ ? static_cast<std::uint32_t>(places_ - taken) : 0;
  }

  std::uint32_t places_;
  std::uint32_t places_left_;
  std::uint32_t waiting_ = 0;  ///< Warps in the workload buffer.
  Cycle buffer_empty_since_;
};

}  // namespace heddle::sm
