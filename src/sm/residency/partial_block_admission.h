#pragma once

// Base of the policies that allocate resources to warps (WarpMan; Xiang et al., Warp-Level
// Divergence in GPUs, section 4). The resources of a warp are freed when it ends, and one block may
// be resident in part. A block is admitted when there are registers and a slot for one of its
// warps. Its other warps wait in the paper's workload buffer, and start in order as warps end. No
// other block is admitted before they have started.
//
// Partial admission cannot deadlock. All other blocks are resident as a whole, so they end and free
// the resources that the partial block lacks. These suffice: a launch whose block does not fit on
// an empty multiprocessor is refused. Blocks of a cooperative launch wait for each other, so they
// are admitted as a whole.
//
// The workload buffer has five fields (section 4.2, 40 bits): the slot and the index of the block,
// the first and the last waiting warp, and whether any warp waits. They are members of
// ResidentBlocks (sm/residency/resident_blocks.h).

#include <algorithm>
#include <cstdint>

#include "sm/residency/residency.h"

namespace heddle::sm {

/// Adds the workload buffer, which holds one block of at most 32 warps. 26 bits hold the index of a
/// block in the largest grid.
inline void add_workload_buffer(config::StorageList& list) {
  list.add({.name = "workload_buffer",
            .bits = "bits(sm.blocks) + 26 + 2 * bits(32) + 1",
            .meaning =
                "for a block that is resident in part: its slot, its index, the first and the last "
                "waiting warp, and whether any warp waits",
            .source = "Xiang et al., Warp-Level Divergence in GPUs, section 4.2"});
}

class PartialBlocks : public Residency {
 public:
  explicit PartialBlocks(const ResidencyDescription& multiprocessor)
      : Residency(multiprocessor), warp_slots_(multiprocessor.warps) {}

  bool fits(const BlockNeeds& needs) const final {
    return waiting_ == 0 && (fits_whole(needs) || fits_in_part(needs));
  }
  Cycle room_since(const BlockNeeds& needs) const final {
    Cycle since = Cycle::never();
    if (fits_whole(needs)) since = pool_.room_since(whole_of(needs));
    if (fits_in_part(needs)) since = std::min(since, pool_.room_since(first_of(needs)));
    return std::max({since, limit_since(), buffer_empty_since_});
  }
  void admit_block(const BlockNeeds& needs) final { pool_.allocate(pool_.without_warps(needs)); }
  std::uint32_t admit_warps(const BlockNeeds& needs, std::uint32_t waiting, Cycle at) final {
    std::uint32_t room = pool_.room_for_warps(needs);
    const std::uint64_t resident_warps = pool_.allocated().warps;
    const bool is_whole =
        waiting_ == 0 && room >= waiting && resident_warps + waiting <= max_warps(needs, false);
    // The limit does not apply to a block that is alone, as its warps might wait for ever.
    const bool is_alone = pool_.allocated().blocks == 1;
    if (!is_whole && !is_alone) {
      const std::uint64_t limit = max_warps(needs, true);
      room = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(room, limit - std::min(resident_warps, limit)));
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
    pool_.release(pool_.without_warps(needs), at);
  }

 protected:
  /// The limit on resident warps, including those that start: one warp of a partially resident
  /// block (`in_part`), or all warps of a block.
  virtual std::uint32_t max_warps(const BlockNeeds&, [[maybe_unused]] bool in_part) const {
    return warp_slots_;
  }
  /// The cycle in which max_warps() was last raised; 0 if it never was.
  virtual Cycle limit_since() const { return {}; }

  std::uint32_t warp_slots() const { return warp_slots_; }
  /// The warps of as many whole blocks as fit on an empty multiprocessor.
  std::uint32_t warps_of_whole_blocks(const BlockNeeds& needs) const {
    return occupancy(needs).blocks * needs.warps;
  }

 private:
  bool fits_whole(const BlockNeeds& needs) const { return pool_.has_room(whole_of(needs)); }
  bool fits_in_part(const BlockNeeds& needs) const {
    return !needs.must_be_whole && pool_.has_room(first_of(needs));
  }
  /// The resources that must be free to admit all warps of a block.
  Allocation whole_of(const BlockNeeds& needs) const {
    return with_reserved_slots(pool_.block(needs), max_warps(needs, false));
  }
  /// The resources that must be free to admit a block with its first warp.
  Allocation first_of(const BlockNeeds& needs) const {
    Allocation first = pool_.without_warps(needs);
    first += pool_.warps(needs, 1);
    return with_reserved_slots(first, max_warps(needs, true));
  }
  /// Adds the warp slots that have to stay free, so that at most `limit` warps are resident.
  Allocation with_reserved_slots(Allocation wanted, std::uint32_t limit) const {
    wanted.warps += warp_slots_ - std::min(limit, warp_slots_);
    return wanted;
  }

  std::uint32_t warp_slots_;
  std::uint32_t waiting_ = 0;  ///< Warps in the workload buffer.
  Cycle buffer_empty_since_;   ///< When the last warp left the workload buffer.
};

}  // namespace heddle::sm
