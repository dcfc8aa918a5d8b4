#pragma once

// The main loop of a chip. It divides time into epochs: short intervals in which the components
// (multiprocessors and memory partitions) do not affect one another. First the multiprocessors and
// then the partitions are simulated for one epoch, each independently of the others. Then they
// exchange messages.
//
// Let L be the latency of the interconnect. A request that a multiprocessor sends in cycle e or
// later arrives at a partition no earlier than e + L, so partitions are simulated L cycles ahead.
// The response arrives no earlier than e + 2 L, so a multiprocessor can be simulated alone until
// then.

#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include "base/cycle.h"
#include "exec/memory/global_memory.h"
#include "gpu/components.h"
#include "gpu/observed_accesses.h"
#include "gpu/team.h"
#include "trace/trace.h"

namespace heddle::gpu {

class Epochs {
 public:
  /// Components note trace events in `trace` unless it is null. `trace` must outlive this object.
  Epochs(const Machine& machine, std::uint32_t host_threads, trace::Trace* trace);

  Components& components() { return *components_; }
  const Components& components() const { return *components_; }
  /// The start of the next epoch.
  Cycle now() const { return now_; }
  /// The first cycle in which a component has something to do; never() if there is none.
  Cycle next_event() const;
  /// Whether blocks or warps of a multiprocessor ended in the last epoch.
  bool has_finished_work(std::uint32_t sm) const { return sm_summaries_[sm].has_finished_work; }
  /// Updates next_event() and has_finished_work(). Must be called after the caller has changed the
  /// state of a multiprocessor.
  void refresh(std::uint32_t sm);
  /// Lets the next epoch begin at `at`, which must not be after next_event().
  void skip_to(Cycle at) { now_ = at; }
  /// Runs the epoch from now() to `until`, of at most length() cycles. Throws exec::SimulatedFault
  /// if a multiprocessor faults; fault_at() then returns the time of the fault. If there are
  /// several faults, it throws the earliest; within a cycle, that of the multiprocessor with the
  /// lowest number.
  void run(Cycle until, const exec::GlobalMemory& memory);
  /// From now on, accesses to global memory are reported to the observers of the launches.
  void observe_accesses() { accesses_.start(); }
  /// Reports the accesses up to the cycle `last`, in which the launches were stopped.
  void report_last_accesses(Cycle last) { accesses_.forward(*components_, last); }
  std::uint32_t host_threads() const { return team_.size(); }
  /// The maximum length of an epoch.
  Cycles length() const { return length_; }
  Cycle fault_at() const { return fault_at_; }
  /// Runs until nothing is in flight, then writes back the dirty data in the multiprocessors'
  /// caches. No blocks may be resident.
  void drain(const exec::GlobalMemory& memory);

 private:
  // Summaries of components between epochs. The host thread that ran a component writes its
  // summary. Other host threads then need not fetch the values from all over the component's state.
  struct SmSummary {
    Cycle next_event = Cycle::never();
    std::uint32_t stored_lines = 0;  ///< The cache lines to which it stored in the last epoch.
    bool has_sent = false;           ///< Requests to partitions wait in its outboxes.
    bool has_chip_wide = false;      ///< Instructions that need the whole chip wait for execution.
    bool has_finished_work = false;  ///< Blocks or warps ended in the last epoch.
    bool is_committed = false;       ///< Its stores are in memory and can be discarded.
  };
  struct PartitionSummary {
    Cycle next_event = Cycle::never();
    bool has_responded = false;  ///< Responses wait in its outboxes.
  };

  void run_sms(Cycle until);
  void discard_committed(std::uint32_t sm);
  void commit_stores(const exec::GlobalMemory& memory);
  void run_partitions(Cycle until);
  void execute_chip_wide();
  void run_until_idle(const exec::GlobalMemory& memory);
  void write_trace();
  void raise_first_fault();
  bool is_busy() const;

  std::unique_ptr<Components> components_;
  trace::Trace* trace_;
  ObservedAccesses accesses_;
  Team team_;
  Cycles link_latency_;
  Cycles length_;
  Cycles trace_lag_;  ///< Later epochs may note events this long before an epoch's end.
  Cycle now_;
  /// The order alternates between epochs. The components that were simulated last in an epoch are
  /// still in the host's caches, and are simulated first in the next epoch.
  Team::Order order_ = Team::Order::forwards;
  Cycle fault_at_;
  std::vector<SmSummary> sm_summaries_;
  std::vector<PartitionSummary> partition_summaries_;
  std::vector<std::exception_ptr> faults_;  ///< By multiprocessor, in this epoch; null: none.
};

}  // namespace heddle::gpu
