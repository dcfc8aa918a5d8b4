#pragma once

// The main loop of a chip. It divides time into epochs: short intervals in which components do not
// affect one another. All components run one epoch independently, multiprocessors first, and then
// exchange messages.
//
// A message takes `link` cycles between components, the interconnect's latency. A request that a
// multiprocessor sends from cycle e on arrives at a partition no earlier than e + link, so
// partitions run ahead by `link`. Responses to it arrive no earlier than e + 2 link, so a
// multiprocessor can run alone until then.

#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include "base/cycle.h"
#include "exec/memory/global_memory.h"
#include "gpu/components.h"
#include "gpu/team.h"
#include "trace/trace.h"

namespace heddle::gpu {

class Epochs {
 public:
  /// Components note trace events in `trace` unless it is null. It must outlive this object.
  Epochs(const Machine& machine, std::uint32_t threads, trace::Trace* trace);

  Components& parts() { return *parts_; }
  const Components& parts() const { return *parts_; }
  /// The start of the next epoch.
  Cycle now() const { return now_; }
  /// The first cycle in which anything happens; never() if nothing will happen.
  Cycle next_event() const;
  /// Whether blocks or warps of a multiprocessor ended in the last epoch.
  bool has_ended(std::uint32_t sm) const { return sm_summaries_[sm].has_ended; }
  /// Updates the summary of a multiprocessor. Must be called after giving the multiprocessor work.
  void refresh(std::uint32_t sm);
  /// Skips to `at`; nothing may happen before it.
  void skip_to(Cycle at) { now_ = at; }
  /// Runs an epoch of at most length(). Throws exec::SimulatedFault, and fault_at() then returns
  /// its time. If there are several faults, it throws the earliest; within a cycle, the one of the
  /// first multiprocessor.
  void run(Cycle until, const exec::GlobalMemory& memory);
  std::uint32_t host_threads() const { return team_.size(); }
  Cycles length() const { return length_; }
  Cycle fault_at() const { return fault_at_; }
  /// Runs until nothing is in flight, when no blocks are resident. Then writes back the dirty data
  /// in the multiprocessors' caches.
  void drain(const exec::GlobalMemory& memory);

 private:
  // Summaries of components between epochs. The thread that ran a component writes its summary, so
  // other threads need not fetch the values from all over the component's state.
  struct SmSummary {
    Cycle next_event = Cycle::never();
    std::uint32_t stored_lines = 0;
    bool has_sent = false;
    bool has_chip_wide = false;  ///< Instructions that need the whole chip wait for execution.
    bool has_ended = false;
    bool is_committed = false;  ///< Its stores are in memory and can be discarded.
  };
  struct PartitionSummary {
    Cycle next_event = Cycle::never();
    bool has_responded = false;
  };

  void run_sms(Cycle until);
  void forget_committed(std::uint32_t sm);
  void commit_stores(const exec::GlobalMemory& memory);
  void run_partitions(Cycle until);
  void execute_chip_wide();
  void run_until_idle(const exec::GlobalMemory& memory);
  void write_trace();
  void raise_first_fault();
  bool busy() const;

  std::unique_ptr<Components> parts_;
  trace::Trace* trace_;
  Team team_;
  Cycles link_;
  Cycles length_;
  Cycles trace_lag_;  ///< How far before an epoch's end later epochs may note events.
  Cycle now_;
  /// Alternates between epochs: components that ran last are still in the host's caches and run
  /// first.
  Team::Order order_ = Team::Order::forwards;
  Cycle fault_at_;
  std::vector<SmSummary> sm_summaries_;
  std::vector<PartitionSummary> partition_summaries_;
  std::vector<std::exception_ptr> faults_;  ///< One for each multiprocessor, in this epoch.
};

}  // namespace heddle::gpu
