#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "base/cycle.h"
#include "sm/instructions/issue_table.h"

namespace heddle::sm {

/// The scoreboard of a second context: when each register and predicate can be read. A value is
/// *unknown* if it depends on a result that is not expected before the context is thrown away. An
/// instruction that reads an unknown value cannot be executed. A value is *pending* if it is on its
/// way, and instructions wait for it, but the cycle of its arrival is not known yet. Entries are
/// the numbers of an IssueTable.
class AheadRegisters {
 public:
  /// The time of a pending value: later than every cycle that is known.
  static constexpr Cycle pending() { return Cycle(Cycle::never().number - 1); }

  /// The entry can be read from `at` on; pending() if it is pending, never() if it is unknown.
  void set(std::uint16_t entry, Cycle at) { available_[entry] = at; }
  void make_unknown(std::span<const std::uint16_t> entries) {
    for (const std::uint16_t entry : entries) available_[entry] = Cycle::never();
  }
  bool is_known(std::uint16_t entry) const { return available_[entry] != Cycle::never(); }
  bool is_pending(std::uint16_t entry) const { return available_[entry] == pending(); }
  bool are_known(std::span<const std::uint16_t> entries) const {
    return std::all_of(entries.begin(), entries.end(),
                       [this](std::uint16_t entry) { return is_known(entry); });
  }
  /// The first cycle in which an instruction may issue that reads or writes these entries;
  /// pending() if one is pending. Unknown entries do not count: those that are written get a new
  /// value.
  Cycle ready(std::span<const std::uint16_t> entries) const {
    Cycle latest;
    for (const std::uint16_t entry : entries) {
      if (is_known(entry)) latest = std::max(latest, available_[entry]);
    }
    return latest;
  }

 private:
  std::array<Cycle, kScoreboardEntries> available_{};
};

}  // namespace heddle::sm
