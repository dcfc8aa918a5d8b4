#include "code/placement/pooled.h"

#include <algorithm>
#include <cassert>
#include <map>

#include "code/placement/code_order.h"
#include "code/placement/place_values.h"

namespace heddle::code {
namespace {

/// The energy that an instruction saves by reading and writing its values where `placement` says,
/// compared with reading and writing all of them in the main register file.
double saved_by(const InstructionPlacement& placement, bool in_shared_unit,
                const PlaceEnergies& energies) {
  double saved = 0;
  for (const ReadPlace& each : placement.reads) {
    saved += energies.main_read - energies.read(each.from.level, in_shared_unit);
    if (each.fill_place.present()) saved -= energies.write(each.fill_place.level, in_shared_unit);
  }
  for (const WritePlace& each : placement.writes) {
    if (!each.main) saved += energies.main_write;
    if (each.upper.present()) saved -= energies.write(each.upper.level, in_shared_unit);
  }
  return saved;
}

/// Computes the StrandSavings of a function. `by_entry_count` is PooledPlacement::by_entry_count.
class SavingsFinder {
 public:
  SavingsFinder(const CodeOrder& code, const Hierarchy& hierarchy,
                const std::vector<std::vector<InstructionPlacement>>& by_entry_count)
      : code_(code), any_placement_(by_entry_count[0]), saved_at_(code.size()) {
    for (Position at = 0; at < code.size(); ++at) {
      // Shared units (special functions, memory, texture) are farther from the operand file.
      const bool in_shared_unit = hierarchy.in_shared_unit(*code.instructions[at]);
      for (std::size_t count = 0; count < by_entry_count.size(); ++count) {
        saved_at_[at][count] =
            saved_by(by_entry_count[count][at], in_shared_unit, hierarchy.energies);
      }
    }
  }

  std::vector<StrandSavings> find() {
    std::vector<StrandSavings> savings(code_.size());
    for (Position at = 0; at < code_.size(); ++at) {
      if (begins_strand(at)) savings[at] = savings_from(at);
    }
    return savings;
  }

 private:
  bool begins_strand(Position at) const { return any_placement_[at].begins_strand; }

  /// The savings of the strand that begins at this position.
  StrandSavings savings_from(Position beginning) {
    savings_ = {};
    pass_through(code_.block_of[beginning], beginning, 1);
    // Within a strand, control only passes to later blocks. Blocks are visited in order, so all
    // predecessors of a block have been visited before it.
    while (!share_of_.empty()) {
      const auto [block, share] = *share_of_.begin();
      share_of_.erase(share_of_.begin());
      pass_through(block, code_.first_position[block], share);
    }
    return savings_;
  }

  /// Adds the savings of the strand's instructions in the block, from position `from` on. `share`
  /// is the fraction of the strand's executions that reach that position.
  void pass_through(BlockIndex block, Position from, double share) {
    for (Position at = from; at < code_.first_position[block + 1]; ++at) {
      if (begins_strand(at) && savings_.instructions > 0) return;
      savings_.instructions += share;
      for (std::size_t count = 0; count < savings_.saved.size(); ++count) {
        savings_.saved[count] += share * saved_at_[at][count];
      }
    }
    const auto next = code_.control_flow.successors(block);
    for (const BlockIndex to : next) {
      if (to > block) share_of_[to] += share / static_cast<double>(next.size());
    }
  }

  const CodeOrder& code_;
  /// One of the placements; strands begin at the same instructions in all of them.
  const std::vector<InstructionPlacement>& any_placement_;
  /// By position, then by number of entries: the energy that one execution saves.
  std::vector<std::array<double, kMaxPooledEntries + 1>> saved_at_;
  StrandSavings savings_;                  ///< Those of the current strand.
  std::map<BlockIndex, double> share_of_;  ///< The shares of the blocks still to be visited.
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
  assert(hierarchy.operand_entries <= kMaxPooledEntries);
  PooledPlacement placed;
  for (std::uint32_t count = 0; count <= hierarchy.operand_entries; ++count) {
    Hierarchy with_count = hierarchy;
    with_count.operand_entries = count;
    placed.by_entry_count.push_back(place_values(function, with_count));
    assert(have_the_same_strands(placed.by_entry_count.front(), placed.by_entry_count.back()));
  }
  placed.strand_savings =
      SavingsFinder(CodeOrder(function), hierarchy, placed.by_entry_count).find();
  return placed;
}

}  // namespace heddle::code
