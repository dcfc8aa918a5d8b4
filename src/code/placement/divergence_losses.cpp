#include "code/placement/divergence_losses.h"

#include <utility>

#include "code/dominators.h"

namespace heddle::code {
namespace {

class DivergenceLossFinder {
 public:
  DivergenceLossFinder(const CodeOrder& code, const std::vector<bool>& suspends)
      : code_(code),
        suspends_(suspends),
        reconvergence_(reconvergence_of(code.function)),
        seen_(code.blocks()),
        lost_{std::vector<bool>(code.blocks()), std::vector<bool>(code.size())} {}

  DivergenceLosses find() {
    for (BlockIndex block = 0; block < code_.blocks(); ++block) {
      const auto paths = code_.control_flow.successors(block);
      if (paths.size() > 1) visit_branch(paths, reconvergence_[block]);
    }
    return std::move(lost_);
  }

 private:
  /// Marks losses at a branch: after it, if any path suspends the warp; on a path, if another path
  /// suspends the warp.
  void visit_branch(std::span<const BlockIndex> paths, BlockIndex reconvergence) {
    std::size_t suspending_paths = 0;
    BlockIndex last_suspending = kNone;
    for (const BlockIndex path : paths) {
      if (!path_suspends(path, reconvergence)) continue;
      ++suspending_paths;
      last_suspending = path;
    }
    if (suspending_paths == 0) return;
    if (reconvergence != kNone) lost_.before_block[reconvergence] = true;
    for (const BlockIndex path : paths) {
      if (suspending_paths > 1 || path != last_suspending) mark_lost(path, reconvergence);
    }
  }

  /// The blocks that `path` reaches before the reconvergence point.
  const std::vector<BlockIndex>& blocks_on(BlockIndex path, BlockIndex reconvergence) {
    reached_.clear();
    if (path == reconvergence) return reached_;
    seen_.assign(code_.blocks(), false);
    seen_[path] = true;
    reached_.push_back(path);
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      for (const BlockIndex next : code_.control_flow.successors(reached_[i])) {
        if (next == reconvergence || seen_[next]) continue;
        seen_[next] = true;
        reached_.push_back(next);
      }
    }
    return reached_;
  }

  bool path_suspends(BlockIndex path, BlockIndex reconvergence) {
    for (const BlockIndex block : blocks_on(path, reconvergence)) {
      if (suspends_[block]) return true;
    }
    return false;
  }

  /// Marks where the path's threads may have lost values: at its start, since another path may have
  /// run before, and after each warp_sync and barrier, where this path may have waited for another.
  void mark_lost(BlockIndex path, BlockIndex reconvergence) {
    lost_.before_block[path] = true;
    for (const BlockIndex block : blocks_on(path, reconvergence)) {
      for (Position at = code_.first_position[block]; at < code_.first_position[block + 1]; ++at) {
        const Operation operation = code_.instructions[at]->operation;
        if (operation == Operation::warp_sync || operation == Operation::barrier) {
          lost_.after_position[at] = true;
        }
      }
    }
  }

  const CodeOrder& code_;
  const std::vector<bool>& suspends_;
  std::vector<BlockIndex> reconvergence_;
  std::vector<bool> seen_;
  std::vector<BlockIndex> reached_;
  DivergenceLosses lost_;
};

}  // namespace

DivergenceLosses divergence_losses(const CodeOrder& code, const std::vector<bool>& suspends) {
  return DivergenceLossFinder(code, suspends).find();
}

}  // namespace heddle::code
