#pragma once

// Memory as a multiprocessor's pipeline sees it: an instruction is handed over pass by pass, each
// in as many parts as there are kinds of memory in it, and comes back as a whole.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/cycle.h"
#include "base/slot_table.h"
#include "sm/ids.h"
#include "sm/issue_table.h"
#include "sm/memory/atomics_in_flight.h"
#include "sm/memory/load_store_unit.h"
#include "sm/memory/local_memory_map.h"
#include "sm/memory/memory_pass.h"

namespace heddle::sm {

class MemoryStage {
 public:
  MemoryStage(LoadStoreUnit& unit, std::uint16_t sm, const LocalDescription& local = {})
      : unit_(unit), local_(sm), private_bytes_(local.private_bytes) {}

  // -- an instruction is handed over --------------------------------------------------------------
  using Token = std::uint32_t;
  Token begin(WarpSlot warp, std::uint32_t pc, const IssueInfo& instruction, Cycle at) {
    return pending_.add({.warp = warp, .pc = pc, .instruction = &instruction, .latest = at});
  }
  /// A pass with at least one lane.
  void send(Token token, const MemoryPass& pass, const LaunchSpaces& spaces, Cycle at);
  /// Returns when it is complete, or never() where that will be reported; of stores it says
  /// nothing.
  Cycle end(Token token);
  AtomicsInFlight& atomics() { return atomics_; }
  const AtomicsInFlight& atomics() const { return atomics_; }

  // -- and completes ------------------------------------------------------------------------------
  struct Completed {
    WarpSlot warp = 0;
    const IssueInfo* instruction = nullptr;
    Cycle at;
  };
  /// A part has been completed; perhaps it was the instruction's last.
  std::optional<Completed> complete(const MemoryCompletion& completion);
  /// Whether the warp has instructions under way.
  bool any(WarpSlot warp) const { return (busy_ & set_of(warp)) != 0; }
  /// Whether some of these bring it results of long latency.
  bool any_long(WarpSlot warp) const { return long_under_way_[warp] != 0; }
  WarpSlot warp_of(Token token) const { return pending_[token].warp; }

 private:
  struct Pending {
    WarpSlot warp = 0;
    std::uint32_t pc = 0;
    std::uint32_t parts = 0;  ///< Completions to come.
    std::uint32_t first_atomic = kNoAtomic;
    const IssueInfo* instruction = nullptr;
    Cycle latest;
  };

  void send_part(Token token, const MemoryPass& pass, MemoryPath path, LaneMask lanes,
                 const memory::LaneAddresses& addresses, Cycle at, bool local = false);
  void send_local(Token token, const MemoryPass& pass, LaneMask lanes, std::uint32_t local_bytes,
                  Cycle at);
  void send_constants(Token token, const MemoryPass& pass, LaneMask lanes, std::uint64_t parameters,
                      Cycle at);

  LoadStoreUnit& unit_;
  LocalMemoryMap local_;
  memory::LaneAddresses of_parameters_{};
  std::uint32_t private_bytes_;  ///< Of a thread's local memory, in the scratchpad.
  AtomicsInFlight atomics_;
  SlotTable<Pending> pending_;
  WarpSet busy_ = 0;
  std::array<std::uint32_t, kMostWarps> under_way_{};  ///< Instructions, by slot.
  std::array<std::uint32_t, kMostWarps> long_under_way_{};
};

}  // namespace heddle::sm
