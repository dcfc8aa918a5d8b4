#pragma once

// For tests of a scoreboard that commits in order: the values that its entries hold, and a register
// file that nothing but commits writes. What a warp reads is taken from these, and held against
// what it has been executed with.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/counters.h"
#include "base/lane_mask.h"
#include "sm/dependence/commit_board.h"
#include "sm/ids.h"
#include "sm/issue_table.h"

namespace heddle::exec {
struct LaneContext;
}  // namespace heddle::exec

namespace heddle::sm {

class CommitCheck {
 public:
  CommitCheck();

  using Lanes = std::array<std::uint32_t, kWarpSize>;  ///< Of a predicate, 0 or 1.
  /// A register or predicate as commits have left it, and the lanes that any has written.
  struct Committed {
    Lanes values{};
    LaneMask written{};
  };

  /// A new warp, of whose registers none is written.
  void start(WarpSlot warp);
  /// Its next instruction is about to be executed.
  void begin(WarpSlot warp, const exec::LaneContext& context);
  /// Lanes read a register from an entry that has come by then, or else from the file.
  void read(WarpSlot warp, std::uint16_t word, LaneMask lanes, std::uint8_t number,
            const CommitBoard::Entry* entry, bool has_come);
  /// Its results are there, and are kept in the entry.
  void hold(WarpSlot warp, std::uint8_t number, const CommitBoard::Entry& entry);
  /// The number of the instruction that an entry is of is that of the warp's last.
  void number_entry(WarpSlot warp, std::uint8_t number) { sequence_of_[number] = issued_[warp]; }
  void commit(WarpSlot warp, std::uint8_t number, const CommitBoard::Entry& entry);
  /// Its last instruction, which has no entry, is over: it has written these as well.
  void commit_last(WarpSlot warp, std::span<const std::uint16_t> words, LaneMask lanes);

  /// How many of the warp's instructions are known to have been committed: all up to the last that
  /// has written a register or memory.
  std::uint64_t committed(WarpSlot warp) const { return committed_[warp]; }
  const Committed& file(WarpSlot warp, std::uint16_t word) const {
    return file_[warp * kScoreboardEntries + word];
  }
  /// How many it has issued.
  std::uint64_t issued(WarpSlot warp) const { return issued_[warp]; }

  void declare(CounterList& counters);

 private:
  static std::uint32_t executed(const exec::LaneContext& context, std::uint16_t word,
                                std::size_t lane);
  void write(WarpSlot warp, std::uint16_t word, LaneMask lanes, const Lanes& values);
  Lanes executed(WarpSlot warp, std::uint16_t word) const;

  std::vector<Committed> file_;                                       ///< By warp and register.
  std::array<std::vector<Lanes>, CommitBoard::kMostEntries> held_{};  ///< By entry and word.
  std::array<std::uint64_t, CommitBoard::kMostEntries> sequence_of_{};
  std::array<const exec::LaneContext*, kMostWarps> contexts_{};
  std::array<std::uint64_t, kMostWarps> issued_{};
  std::array<std::uint64_t, kMostWarps> committed_{};
  std::uint64_t checked_ = 0;
  std::uint64_t wrong_ = 0;
};

}  // namespace heddle::sm
