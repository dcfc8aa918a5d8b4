#include "sm/pipeline/wrong_turn.h"

#include <algorithm>
#include <bitset>

namespace heddle::sm {

void take_wrong_turn(const WrongTurn& turn, const IssueTable& table, FrontEnd& front_end,
                     Dependence& dependence, WrongPaths& paths) {
  std::uint32_t pc = turn.pc;
  // What comes straight on has been fetched ahead.
  Cycle fetched = pc == turn.branch + 1
                      ? front_end.advance_in_vain(turn.warp, pc, turn.from, turn.until)
                      : front_end.redirect_in_vain(turn.warp, pc, turn.from, turn.until);
  paths.begin(turn.warp, turn.until);
  std::bitset<kScoreboardEntries> written;
  for (; pc < table.size(); ++pc) {
    const IssueInfo& info = table[pc];
    if (info.kind != InstructionKind::arithmetic) break;
    const auto uses = table.all(info);
    if (std::any_of(uses.begin(), uses.end(), [&](auto word) { return written[word]; })) break;
    const Cycle ready = dependence.ready(turn.warp, table, info, LaneMask::all(), turn.now).at;
    const Cycle at = std::max(fetched, ready);
    if (at >= turn.until) break;
    const bool has_room = paths.add(
        turn.warp, {.pc = pc, .unit = info.unit, .expansion = info.expansion, .from = at});
    if (!has_room || !dependence.overlaps()) break;
    for (const std::uint16_t word : table.writes(info)) written.set(word);
    fetched = front_end.advance_in_vain(turn.warp, pc + 1, at + Cycles(1), turn.until);
  }
  dependence.give_up(turn.warp);
}

}  // namespace heddle::sm
