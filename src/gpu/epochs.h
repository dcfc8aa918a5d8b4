#pragma once

// The clock of a chip: its parts run an epoch each for itself, multiprocessors first, and then hear
// of one another.
//
// A message takes `link` cycles from part to part. What a multiprocessor sends from cycle e on
// reaches no partition before e + link, so partitions run that much ahead; and what they answer
// then comes back at e + 2 link at the earliest: until there a multiprocessor can run alone.

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
  /// What happens goes to `trace`, if there is one, which must outlive it.
  Epochs(const Machine& machine, std::uint32_t threads, trace::Trace* trace);

  Components& parts() { return *parts_; }
  const Components& parts() const { return *parts_; }
  /// The start of the next epoch.
  Cycle now() const { return now_; }
  /// The first cycle in which anything happens; never where nothing will.
  Cycle next_event() const;
  /// Whether blocks or warps of a multiprocessor ended in the last epoch.
  bool has_ended(std::uint32_t sm) const { return sm_news_[sm].has_ended; }
  /// To be called when a multiprocessor was given something to do.
  void look_at(std::uint32_t sm);
  /// Nothing happens before `at`.
  void skip_to(Cycle at) { now_ = at; }
  /// Runs an epoch, of no more than length(). Throws exec::SimulatedFault: of several the earliest,
  /// of those in one cycle the first multiprocessor's; fault_at() says when it was.
  void run(Cycle until, const exec::GlobalMemory& memory);
  std::uint32_t host_threads() const { return team_.size(); }
  Cycles length() const { return length_; }
  Cycle fault_at() const { return fault_at_; }
  /// Lets everything that is under way arrive, when no blocks are resident, and then what stores
  /// have left in the multiprocessors' caches.
  void drain(const exec::GlobalMemory& memory);

 private:
  // What is to be known of a part between epochs, written by the thread that ran it: the others
  // then need not fetch that from all over the part's state.
  struct SmNews {
    Cycle next_event = Cycle::never();
    std::uint32_t stored_lines = 0;
    bool has_sent = false;
    bool has_chip_wide = false;
    bool has_ended = false;
    bool is_committed = false;  ///< Its stores are in memory and can be forgotten.
  };
  struct PartitionNews {
    Cycle next_event = Cycle::never();
    bool has_answered = false;
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
  Cycles trace_lag_;  ///< So long before an epoch's end is what may still be noted after it.
  Cycle now_;
  /// Changes from epoch to epoch: what ran last is in the host's caches still, and runs first.
  Team::Order order_ = Team::Order::forwards;
  Cycle fault_at_;
  std::vector<SmNews> sm_news_;
  std::vector<PartitionNews> partition_news_;
  std::vector<std::exception_ptr> faults_;  ///< Of each multiprocessor, in this epoch.
};

}  // namespace heddle::gpu
