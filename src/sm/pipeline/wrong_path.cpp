#include "sm/pipeline/wrong_path.h"

#include <algorithm>
#include <bitset>

namespace heddle::sm {

void take_wrong_path(const Misprediction& branch, const IssueTable& table, Dependence& dependence,
                     WrongPaths& paths) {
  paths.begin(branch.warp, branch.pc, branch.fetched, branch.until);
  const std::size_t end =
      std::min<std::size_t>(table.size(), branch.pc + paths.most_instructions());
  std::bitset<kScoreboardEntries> written;
  for (std::uint32_t pc = branch.pc; pc < end; ++pc) {
    const IssueInfo& info = table[pc];
    if (info.kind != InstructionKind::arithmetic) break;
    const auto uses = table.reads_and_writes(info);
    if (std::any_of(uses.begin(), uses.end(), [&](auto entry) { return written[entry]; })) break;
    const Cycle ready = dependence.ready(branch.warp, table, info, LaneMask::all(), branch.now).at;
    if (ready >= branch.until) break;
    paths.add(branch.warp, ready);
    for (const std::uint16_t entry : table.writes(info)) written.set(entry);
  }
}

}  // namespace heddle::sm
