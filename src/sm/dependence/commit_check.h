#pragma once

// A check, for tests, of the scoreboard that commits in order. It models the values in the
// scoreboard's entries, and a register file that only commits write. It compares the values that a
// warp reads from the entries and this file with the values that the instruction was executed with.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/counters.h"
#include "base/lane_mask.h"
#include "sm/dependence/commit_board.h"
#include "sm/ids.h"
#include "sm/pipeline/issue_table.h"

namespace heddle::exec {
struct WarpContext;
}  // namespace heddle::exec

namespace heddle::sm {

class CommitCheck {
 public:
  CommitCheck();

  using Lanes = std::array<std::uint32_t, kWarpSize>;  ///< A predicate is 0 or 1.
  /// The committed value of a register or predicate, and the lanes that have been written.
  struct Committed {
    Lanes values{};
    LaneMask written{};
  };

  /// Starts a new warp, none of whose registers has been written.
  void start(WarpSlot warp);
  /// Begins the warp's next instruction, before it is executed.
  void begin(WarpSlot warp, const exec::WarpContext& context);
  /// Checks the lanes' read of a register: from the entry, if it holds the lane, otherwise from the
  /// file. `has_arrived`: the entry's result is available.
  void read(WarpSlot warp, std::uint16_t word, LaneMask lanes, std::uint8_t number,
            const CommitBoard::Entry* entry, bool has_arrived);
  /// Stores the instruction's results in the entry.
  void hold(WarpSlot warp, std::uint8_t number, const CommitBoard::Entry& entry);
  /// Notes that the entry belongs to the instruction that the warp issued last.
  void number_entry(WarpSlot warp, std::uint8_t number) { sequence_of_[number] = issued_[warp]; }
  void commit(WarpSlot warp, std::uint8_t number, const CommitBoard::Entry& entry);
  /// Commits the warp's last instruction, which has no entry and writes `words`.
  void commit_last(WarpSlot warp, std::span<const std::uint16_t> words, LaneMask lanes);

  /// How many of the warp's instructions are known to have committed: all instructions up to the
  /// last committed one that writes a register or memory.
  std::uint64_t committed(WarpSlot warp) const { return committed_[warp]; }
  const Committed& file(WarpSlot warp, std::uint16_t word) const {
    return file_[warp * kScoreboardEntries + word];
  }
  /// The number of instructions that the warp has issued.
  std::uint64_t issued(WarpSlot warp) const { return issued_[warp]; }

  void declare(CounterList& counters);

 private:
  static std::uint32_t executed(const exec::WarpContext& context, std::uint16_t word,
                                std::size_t lane);
  void write(WarpSlot warp, std::uint16_t word, LaneMask lanes, const Lanes& values);
  Lanes executed(WarpSlot warp, std::uint16_t word) const;

  std::vector<Committed> file_;                                       ///< By warp and register.
  std::array<std::vector<Lanes>, CommitBoard::kMostEntries> held_{};  ///< By entry and word.
  std::array<std::uint64_t, CommitBoard::kMostEntries> sequence_of_{};
  std::array<const exec::WarpContext*, kMostWarps> contexts_{};
  std::array<std::uint64_t, kMostWarps> issued_{};
  std::array<std::uint64_t, kMostWarps> committed_{};
  std::uint64_t checked_ = 0;
  std::uint64_t wrong_ = 0;
};

}  // namespace heddle::sm
