#include "code/placement/parted_sides.h"

#include <utility>

#include "code/dominators.h"

namespace heddle::code {
namespace {

class PartedSides {
 public:
  PartedSides(const CodeOrder& code, const std::vector<bool>& suspends)
      : code_(code),
        suspends_(suspends),
        met_(reconvergence_of(code.function)),
        seen_(code.blocks()),
        lost_{std::vector<bool>(code.blocks()), std::vector<bool>(code.size())} {}

  LostToOthers find() {
    for (BlockIndex block = 0; block < code_.blocks(); ++block) {
      const auto sides = code_.control_flow.successors(block);
      if (sides.size() > 1) look_at(sides, met_[block]);
    }
    return std::move(lost_);
  }

 private:
  void look_at(std::span<const BlockIndex> sides, BlockIndex meeting) {
    std::size_t suspending = 0;
    BlockIndex last = kNone;
    for (const BlockIndex side : sides) {
      if (!side_suspends(side, meeting)) continue;
      ++suspending;
      last = side;
    }
    if (suspending == 0) return;
    if (meeting != kNone) lost_.before_block[meeting] = true;
    for (const BlockIndex side : sides) {
      if (suspending > 1 || side != last) lose(side, meeting);
    }
  }

  /// The blocks that `side` reaches before the sides meet.
  const std::vector<BlockIndex>& blocks_of(BlockIndex side, BlockIndex meeting) {
    reached_.clear();
    if (side == meeting) return reached_;
    seen_.assign(code_.blocks(), false);
    seen_[side] = true;
    reached_.push_back(side);
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      for (const BlockIndex next : code_.control_flow.successors(reached_[i])) {
        if (next == meeting || seen_[next]) continue;
        seen_[next] = true;
        reached_.push_back(next);
      }
    }
    return reached_;
  }

  bool side_suspends(BlockIndex side, BlockIndex meeting) {
    for (const BlockIndex block : blocks_of(side, meeting)) {
      if (suspends_[block]) return true;
    }
    return false;
  }

  /// Another side may have run before this one, and while this one waited for it.
  void lose(BlockIndex side, BlockIndex meeting) {
    lost_.before_block[side] = true;
    for (const BlockIndex block : blocks_of(side, meeting)) {
      for (Position at = code_.first[block]; at < code_.first[block + 1]; ++at) {
        if (code_.instructions[at]->operation == Operation::warp_sync) {
          lost_.after_position[at] = true;
        }
      }
    }
  }

  const CodeOrder& code_;
  const std::vector<bool>& suspends_;
  std::vector<BlockIndex> met_;
  std::vector<bool> seen_;
  std::vector<BlockIndex> reached_;
  LostToOthers lost_;
};

}  // namespace

LostToOthers lost_to_others(const CodeOrder& code, const std::vector<bool>& suspends) {
  return PartedSides(code, suspends).find();
}

}  // namespace heddle::code
