#pragma once

// The base class of the policies that allocate resources to warps (WarpMan; Xiang et al.,
// Warp-Level Divergence in GPUs, section 4). The resources of a warp are freed when the warp ends,
// and one block at a time may be resident in part. A block is admitted if there are registers and a
// warp slot for one of its warps. Its other warps wait in what the paper calls the workload buffer,
// and start in order when other warps end. No other block is admitted before all of them have
// started.
//
// Partial admission cannot deadlock. All other blocks are resident as a whole, so they end and free
// their resources. These suffice for the partial block, because a launch is refused if its blocks
// do not fit on an empty multiprocessor. Blocks of a cooperative launch, which may wait for each
// other, are only admitted as a whole.
//
// The workload buffer has five fields (section 4.2, 40 bits): the slot and the index of the block,
// the first and the last waiting warp, and whether any warp waits. Here ResidentBlocks
// (sm/residency/resident_blocks.h) has this information.

#include <algorithm>
#include <cstdint>

#include "sm/residency/residency.h"

namespace heddle::sm {

/// Adds the workload buffer to the list of a multiprocessor's storage. It is for one block of at
/// most 32 warps; 26 bits suffice for the index of a block in the largest grid.
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
  Cycle space_since(const BlockNeeds& needs) const final {
    Cycle since = Cycle::never();
    if (fits_whole(needs)) since = pool_.space_since(whole_of(needs));
    if (fits_in_part(needs)) since = std::min(since, pool_.space_since(first_warp_of(needs)));
    return std::max({since, limit_since(), buffer_empty_since_});
  }
  void admit_block(const BlockNeeds& needs) final { pool_.allocate(pool_.without_warps(needs)); }
  std::uint32_t admit_warps(const BlockNeeds& needs, std::uint32_t waiting, Cycle at) final {
    std::uint32_t fitting = pool_.count_fitting_warps(needs);
    const std::uint64_t resident_warps = pool_.allocated().warps;
    const bool is_whole =
        waiting_ == 0 && fitting >= waiting && resident_warps + waiting <= max_warps(needs, false);
    // The limit does not apply to a block that is alone: its warps might otherwise wait for ever.
    const bool is_alone = pool_.allocated().blocks == 1;
    if (!is_whole && !is_alone) {
      const std::uint64_t limit = max_warps(needs, true);
      fitting = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(fitting, limit - std::min(resident_warps, limit)));
    }
    const std::uint32_t admitted = std::min(fitting, waiting);
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
  /// The largest number of resident warps after the start of one warp of a partially resident block
  /// (if `in_part`), or of all warps of a block.
  virtual std::uint32_t max_warps(const BlockNeeds&, [[maybe_unused]] bool in_part) const {
    return warp_slots_;
  }
  /// The cycle in which max_warps() has last risen; 0 if it never has.
  virtual Cycle limit_since() const { return {}; }

  /// The number of warp slots of the multiprocessor.
  std::uint32_t warp_slots() const { return warp_slots_; }
  /// The number of warps in as many whole blocks as fit on an empty multiprocessor.
  std::uint32_t warps_of_whole_blocks(const BlockNeeds& needs) const {
    return occupancy(needs).blocks * needs.warps;
  }

 private:
  bool fits_whole(const BlockNeeds& needs) const { return pool_.has_space(whole_of(needs)); }
  bool fits_in_part(const BlockNeeds& needs) const {
    return !needs.must_be_whole && pool_.has_space(first_warp_of(needs));
  }
  /// The resources that must be free to admit all warps of a block.
  Allocation whole_of(const BlockNeeds& needs) const {
    return with_reserved_slots(pool_.block(needs), max_warps(needs, false));
  }
  /// The resources that must be free to admit a block with its first warp.
  Allocation first_warp_of(const BlockNeeds& needs) const {
    Allocation first = pool_.without_warps(needs);
    first += pool_.warps(needs, 1);
    return with_reserved_slots(first, max_warps(needs, true));
  }
  /// Adds the warp slots that must stay free so that at most `limit` warps are resident.
  Allocation with_reserved_slots(Allocation wanted, std::uint32_t limit) const {
    wanted.warps += warp_slots_ - std::min(limit, warp_slots_);
    return wanted;
  }

  std::uint32_t warp_slots_;
  std::uint32_t waiting_ = 0;  ///< The number of warps in the workload buffer.
  Cycle buffer_empty_since_;   ///< When the last warp left the workload buffer.
};

}  // namespace heddle::sm
