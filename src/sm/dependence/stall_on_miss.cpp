#include "sm/dependence/one_at_a_time.h"

namespace heddle::sm {
namespace {

/// A core without a scoreboard (Xiang, Toward Efficient SIMT Execution, section 4.4): issuing an
/// instruction clears the warp's ready bit, and its write-back sets it again. Without a record of
/// destinations a warp does not know whether its next instruction is independent, so a load that
/// misses stalls the warp at once, at the load and not at its use (sections 4.1 and 4.4.3).
///
/// Two things set it apart from a barrel. The next instruction waits in the instruction buffer,
/// already decoded. And what writes no register has nothing to come back for: a reduction that is
/// still on its way to memory, without a time, stalls no warp.
class StallOnMiss final : public OneAtATime {
 public:
  void issue(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction, Cycle now,
             Cycle done, StallCause cause) override {
    const bool gone = instruction.writes == 0 && done == Cycle::never();
    OneAtATime::issue(warp, table, instruction, now, gone ? now + Cycles(1) : done, cause);
  }
  void complete(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
                Cycle done) override {
    if (instruction.writes > 0) OneAtATime::complete(warp, table, instruction, done);
  }
};

const DependenceRegistry::Entry entry{
    "stall-on-miss", "without a scoreboard: a warp waits, decoded, for the write-back of its last",
    [](const DependenceDescription&) { return std::make_unique<StallOnMiss>(); }};

}  // namespace
}  // namespace heddle::sm
