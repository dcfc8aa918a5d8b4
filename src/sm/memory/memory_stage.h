#pragma once

// The memory stage connects a multiprocessor's pipeline with its load-store unit. The pipeline
// sends a memory instruction pass by pass. (A pass is a set of threads in different lanes.) The
// stage splits a pass into parts, one for each path of the load-store unit that its lanes use. The
// instruction completes with its last part.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/cycle.h"
#include "base/slot_table.h"
#include "sm/ids.h"
#include "sm/instructions/issue_table.h"
#include "sm/memory/atomics_in_flight.h"
#include "sm/memory/load_store_unit.h"
#include "sm/memory/local_memory_map.h"
#include "sm/memory/memory_pass.h"

namespace heddle::sm {

/// Observes loads of second contexts (ContextKind::ahead).
class AheadLoads {
 public:
  /// A load has completed for which MemoryStage::end() returned never().
  virtual void complete_ahead(std::uint32_t token, Cycle at) = 0;

 protected:
  ~AheadLoads() = default;
};

class MemoryStage {
 public:
  MemoryStage(LoadStoreUnit& unit, std::uint16_t sm, const LocalDescription& local = {})
      : unit_(unit), local_(sm), private_bytes_(local.private_bytes) {}

  // -- an instruction is sent ---------------------------------------------------------------------
  using Token = std::uint32_t;
  /// Begins an instruction that issues at `at`. One of the second context (ContextKind::ahead) must
  /// be a load.
  Token begin(WarpSlot warp, std::uint32_t pc, const IssueInfo& instruction, Cycle at,
              ContextKind context = ContextKind::normal) {
    return pending_.add({.warp = static_cast<std::uint16_t>(warp),
                         .context = context,
                         .pc = pc,
                         .instruction = &instruction,
                         .latest = at});
  }
  /// Sends a pass of the instruction at `at`. The pass must have at least one lane.
  void send(Token token, const MemoryPass& pass, const LaunchSpaces& spaces, Cycle at);
  /// Called after the last pass of the instruction. Returns the cycle in which the instruction
  /// completes; never() if complete() will return that cycle. For stores the result means nothing.
  Cycle end(Token token);
  AtomicsInFlight& atomics() { return atomics_; }
  const AtomicsInFlight& atomics() const { return atomics_; }
  const MemoryCounters& counters() const { return unit_.counters(); }

  /// From now on, completions of loads of second contexts are reported to `loads`.
  void report_ahead_loads(AheadLoads& loads) { ahead_loads_ = &loads; }

  // -- an instruction completes -------------------------------------------------------------------
  struct CompletedInstruction {
    WarpSlot warp = 0;
    const IssueInfo* instruction = nullptr;
    Cycle at;
  };
  /// Processes the completion of a part. Returns the instruction if this was its last part;
  /// otherwise nothing. Returns nothing for an instruction of a second context, either: by then
  /// that context may have been thrown away, and the slot may have another warp.
  std::optional<CompletedInstruction> complete(const MemoryCompletion& completion);
  /// Whether the warp has memory instructions of its normal context in flight.
  bool has_in_flight(WarpSlot warp) const { return (busy_ & set_of(warp)) != 0; }
  /// Whether the warp has an instruction of long latency (IssueInfo::is_long_latency) in flight
  /// that will write registers.
  bool has_long_latency_in_flight(WarpSlot warp) const {
    return long_latency_in_flight_[warp] != 0;
  }
  WarpSlot warp_of(Token token) const { return pending_[token].warp; }

 private:
  struct PendingInstruction {
    std::uint16_t warp = 0;
    ContextKind context = ContextKind::normal;
    std::uint32_t pc = 0;
    std::uint32_t parts = 0;                 ///< The number of parts that have not completed.
    std::uint32_t first_atomic = kNoAtomic;  ///< The first of its atomics; kNoAtomic if none.
    /// Not used after end() for an instruction of a second context: its launch may have ended.
    const IssueInfo* instruction = nullptr;
    Cycle latest;  ///< The latest completion of a part so far.
  };

  void send_part(Token token, const MemoryPass& pass, MemoryPath path, LaneMask lanes,
                 const memory::LaneAddresses& addresses, Cycle at, bool local = false);
  void send_local(Token token, const MemoryPass& pass, LaneMask lanes, std::uint32_t local_bytes,
                  Cycle at);
  void send_constants(Token token, const MemoryPass& pass, LaneMask lanes, std::uint64_t parameters,
                      Cycle at);

  LoadStoreUnit& unit_;
  LocalMemoryMap local_;
  memory::LaneAddresses parameter_addresses_{};  ///< Used by send_constants().
  std::uint32_t private_bytes_;  ///< Bytes of a thread's local memory in the scratchpad.
  AheadLoads* ahead_loads_ = nullptr;
  AtomicsInFlight atomics_;
  SlotTable<PendingInstruction> pending_;
  WarpSet busy_ = 0;                                  ///< Slots with instructions in flight.
  std::array<std::uint32_t, kMaxWarps> in_flight_{};  ///< By slot: number of instructions.
  std::array<std::uint32_t, kMaxWarps> long_latency_in_flight_{};
};

}  // namespace heddle::sm
