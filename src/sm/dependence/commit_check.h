#pragma once

// A check, for tests, of the scoreboard that commits in order. It models the values in the
// scoreboard's entries, and a register file that is written only by commits. It compares the values
// that a warp reads from the entries and from this file with the values in the functional model,
// with which the instruction is executed.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/counters.h"
#include "base/lane_mask.h"
#include "sm/dependence/commit_board.h"
#include "sm/ids.h"
#include "sm/instructions/issue_table.h"

namespace heddle::exec {
struct WarpContext;
}  // namespace heddle::exec

namespace heddle::sm {

class CommitCheck {
 public:
  CommitCheck();

  using Lanes = std::array<std::uint32_t, kWarpSize>;  ///< A predicate is 0 or 1.
  /// The committed value of a register or predicate, and the lanes that have ever been written.
  struct Committed {
    Lanes values{};
    LaneMask written{};
  };

  /// Starts a new warp: none of its registers has been written.
  void start(WarpSlot warp);
  /// Begins the warp's next instruction, before it is executed.
  void begin(WarpSlot warp, const exec::WarpContext& context);
  /// Checks that `lanes` read the right value of a register. A lane reads from the entry with this
  /// number, if the entry has the lane, otherwise from the register file. `entry`: null if the
  /// register has no entry. `has_arrived`: whether the entry's result is available.
  void read(WarpSlot warp, std::uint16_t reg, LaneMask lanes, std::uint8_t number,
            const CommitBoard::Entry* entry, bool has_arrived);
  /// Stores the results of the executed instruction in the entry.
  void hold(WarpSlot warp, std::uint8_t number, const CommitBoard::Entry& entry);
  /// Notes that the entry belongs to the instruction that the warp has issued last.
  void number_entry(WarpSlot warp, std::uint8_t number) { sequence_of_[number] = issued_[warp]; }
  /// Writes the entry's values to the register file.
  void commit(WarpSlot warp, std::uint8_t number, const CommitBoard::Entry& entry);
  /// Commits the instruction that the warp has issued last. It has no entry and writes `registers`.
  void commit_last(WarpSlot warp, std::span<const std::uint16_t> registers, LaneMask lanes);

  /// Writes a result that has no entry and does not commit in order to the register file.
  void write_at_once(WarpSlot warp, std::uint16_t reg, LaneMask lanes) {
    write(warp, reg, lanes, executed(warp, reg));
  }

  /// The number of the warp's instructions that are known to have committed: all up to the last
  /// committed one that writes a register or memory.
  std::uint64_t committed_count(WarpSlot warp) const { return committed_[warp]; }
  /// The committed value of a register or predicate of the warp.
  const Committed& committed_value(WarpSlot warp, std::uint16_t reg) const {
    return file_[warp * kScoreboardEntries + reg];
  }
  /// The number of instructions that the warp has issued.
  std::uint64_t issued_count(WarpSlot warp) const { return issued_[warp]; }

  void declare(CounterList& counters);

 private:
  /// The value of a register in the functional model.
  static std::uint32_t executed(const exec::WarpContext& context, std::uint16_t reg,
                                std::size_t lane);
  void write(WarpSlot warp, std::uint16_t reg, LaneMask lanes, const Lanes& values);
  Lanes executed(WarpSlot warp, std::uint16_t reg) const;

  std::vector<Committed> file_;  ///< By warp and register.
  /// The values in the entries: by entry, and by register within the entry.
  std::array<std::vector<Lanes>, CommitBoard::kMaxEntries> entry_values_{};
  /// By entry: the number in the warp, from 1 on, of its instruction.
  std::array<std::uint64_t, CommitBoard::kMaxEntries> sequence_of_{};
  std::array<const exec::WarpContext*, kMaxWarps> contexts_{};
  std::array<std::uint64_t, kMaxWarps> issued_{};
  std::array<std::uint64_t, kMaxWarps> committed_{};
  std::uint64_t checked_ = 0;
  std::uint64_t wrong_ = 0;
};

}  // namespace heddle::sm
