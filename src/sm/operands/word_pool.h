#pragma once

// Words of an operand file that a multiprocessor's active warps share, and how many of them each
// has (Gebhart's dissertation on on-chip storage for throughput processors, section 6.6.1).

#include <array>
#include <cstdint>

#include "base/counters.h"
#include "base/inline_vector.h"
#include "base/lane_mask.h"
#include "code/placement/pooled.h"
#include "sm/ids.h"

namespace heddle::sm {

/// Threads of a warp that have parted are in strands of their own, each placed for its own number
/// of words. A word has all lanes of a warp, and theirs are different ones: so the warp holds as
/// many words as the strand with the most.
class WordPool {
 public:
  /// `most`: words of a warp. `price`: what a word is to save in each instruction of a strand, in
  /// the energy of a StrandWorth, while all are free; the fewer are left, the more it is to save.
  /// So much others may be expected to save with it, and the paper's policy, an oracle, would know.
  WordPool(std::uint32_t words, std::uint32_t most, double price)
      : words_(words), free_(words), most_(most), price_(price) {}

  /// The threads of `path`, of the `live` ones, begin the strand of that worth: the warp returns
  /// what it had for them, and takes what is best of what there is.
  void begin(WarpSlot warp, LaneMask path, LaneMask live, const code::StrandWorth& strand);
  /// They execute another instruction of theirs.
  void go_on(WarpSlot warp, LaneMask path);
  /// Words of the strand whose instruction the warp executed last.
  std::uint32_t operator[](WarpSlot warp) const { return warps_[warp].words; }
  /// It is suspended, or has ended.
  void give_back(WarpSlot warp);

  void declare(CounterList& counters);

 private:
  struct Strand {
    LaneMask lanes{};
    const code::StrandWorth* strand = nullptr;
    std::uint32_t words = 0;
  };
  struct Warp {
    InlineVector<Strand, kWarpSize> strands;
    std::uint32_t held = 0;
    std::uint32_t words = 0;
  };

  std::uint32_t choose(const code::StrandWorth& strand, std::uint32_t held_by_others);
  /// Of equals, the fewer. Those that the warp holds for others cost nothing.
  std::uint32_t best_of(std::uint32_t words, const code::StrandWorth& strand,
                        std::uint32_t held_by_others) const;

  /// What the nth word from now on is to save in an instruction.
  double price_of(std::uint32_t nth) const;

  std::uint32_t words_;
  std::uint32_t free_;
  std::uint32_t most_;
  double price_;
  std::array<Warp, kMostWarps> warps_{};
  std::uint64_t strands_ = 0;
  std::uint64_t taken_ = 0;
  std::uint64_t lacking_ = 0;
};

}  // namespace heddle::sm
