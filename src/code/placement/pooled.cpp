#include "code/placement/pooled.h"

#include <algorithm>
#include <cassert>
#include <map>

#include "code/placement/code_order.h"
#include "code/placement/place_values.h"

namespace heddle::code {
namespace {

/// What the places of an instruction's words save, compared with the main file.
double saved_by(const InstructionPlacement& placement, bool in_shared_unit,
                const PlaceEnergies& energies) {
  double saved = 0;
  for (const ReadPlace& each : placement.reads) {
    saved += energies.main_read - energies.read(each.from.level, in_shared_unit);
    if (each.fills.present()) saved -= energies.write(each.fills.level, in_shared_unit);
  }
  for (const WritePlace& each : placement.writes) {
    if (!each.main) saved += energies.main_write;
    if (each.upper.present()) saved -= energies.write(each.upper.level, in_shared_unit);
  }
  return saved;
}

class WorthFinder {
 public:
  WorthFinder(const CodeOrder& code, const Hierarchy& hierarchy,
              const std::vector<std::vector<InstructionPlacement>>& by_entries)
      : code_(code), begins_(by_entries[0]), by_position_(code.size()) {
    for (Position at = 0; at < code.size(); ++at) {
      const bool in_shared_unit = hierarchy.in_shared_unit(*code.instructions[at]);
      for (std::size_t entries = 0; entries < by_entries.size(); ++entries) {
        by_position_[at][entries] =
            saved_by(by_entries[entries][at], in_shared_unit, hierarchy.energies);
      }
    }
  }

  std::vector<StrandWorth> find() {
    std::vector<StrandWorth> worth(code_.size());
    for (Position at = 0; at < code_.size(); ++at) {
      if (begins_[at].begins_strand) worth[at] = worth_from(at);
    }
    return worth;
  }

 private:
  StrandWorth worth_from(Position beginning) {
    worth_ = {};
    pass_through(code_.block[beginning], beginning, 1);
    // Within a strand control only goes to later blocks, so that all that leads to the first of
    // those that are left has been seen.
    while (!share_of_.empty()) {
      const auto [block, share] = *share_of_.begin();
      share_of_.erase(share_of_.begin());
      pass_through(block, code_.first[block], share);
    }
    return worth_;
  }

  /// `share` of those that began the strand come to `from`, in the block.
  void pass_through(BlockIndex block, Position from, double share) {
    for (Position at = from; at < code_.first[block + 1]; ++at) {
      if (begins_[at].begins_strand && worth_.instructions > 0) return;
      worth_.instructions += share;
      for (std::size_t entries = 0; entries < worth_.saved.size(); ++entries) {
        worth_.saved[entries] += share * by_position_[at][entries];
      }
    }
    const auto next = code_.control_flow.successors(block);
    for (const BlockIndex to : next) {
      if (to > block) share_of_[to] += share / static_cast<double>(next.size());
    }
  }

  const CodeOrder& code_;
  const std::vector<InstructionPlacement>& begins_;
  std::vector<std::array<double, kMostPooledEntries + 1>> by_position_;
  StrandWorth worth_;
  std::map<BlockIndex, double> share_of_;  ///< Of blocks still to be passed through.
};

[[maybe_unused]] bool have_the_same_strands(const std::vector<InstructionPlacement>& a,
                                            const std::vector<InstructionPlacement>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const InstructionPlacement& one, const InstructionPlacement& other) {
                      return one.begins_strand == other.begins_strand &&
                             one.suspends == other.suspends;
                    });
}

}  // namespace

PooledPlacement place_pooled(const Function& function, const Hierarchy& hierarchy) {
  assert(hierarchy.operand_entries <= kMostPooledEntries);
  PooledPlacement placed;
  for (std::uint32_t entries = 0; entries <= hierarchy.operand_entries; ++entries) {
    Hierarchy with = hierarchy;
    with.operand_entries = entries;
    placed.by_entries.push_back(place_values(function, with));
    assert(have_the_same_strands(placed.by_entries.front(), placed.by_entries.back()));
  }
  placed.worth = WorthFinder(CodeOrder(function), hierarchy, placed.by_entries).find();
  return placed;
}

}  // namespace heddle::code
