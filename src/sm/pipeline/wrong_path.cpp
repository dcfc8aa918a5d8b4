#include "sm/pipeline/wrong_path.h"

#include <algorithm>
#include <bitset>

namespace heddle::sm {

void take_wrong_path(const WrongTurn& turn, const IssueTable& table, Dependence& dependence,
                     WrongPaths& paths) {
  paths.begin(turn.warp, turn.pc, turn.fetched, turn.until);
  const std::size_t most = dependence.overlaps() ? WrongPaths::kMost : 1;
  const std::size_t end = std::min(table.size(), turn.pc + most);
  std::bitset<kScoreboardEntries> written;
  for (std::uint32_t pc = turn.pc; pc < end; ++pc) {
    const IssueInfo& info = table[pc];
    if (info.kind != InstructionKind::arithmetic) break;
    const auto uses = table.all(info);
    if (std::any_of(uses.begin(), uses.end(), [&](auto word) { return written[word]; })) break;
    const Cycle ready = dependence.ready(turn.warp, table, info, LaneMask::all(), turn.now).at;
    if (ready >= turn.until) break;
    paths.add(turn.warp, ready);
    for (const std::uint16_t word : table.writes(info)) written.set(word);
  }
  dependence.give_up(turn.warp);
}

}  // namespace heddle::sm
