#pragma once

// The clock of a chip: its parts run an epoch each for itself, multiprocessors first, and then hear
// of one another.

#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include "base/cycle.h"
#include "exec/global_memory.h"
#include "gpu/components.h"
#include "gpu/team.h"

namespace heddle::gpu {

class Epochs {
 public:
  Epochs(const Machine& machine, std::uint32_t threads);

  Components& parts() { return *parts_; }
  const Components& parts() const { return *parts_; }
  /// The begin of the next epoch.
  Cycle now() const { return now_; }
  /// The first cycle in which anything happens; never where nothing will.
  Cycle next_event() const;
  /// Nothing happens before `at`.
  void skip_to(Cycle at) { now_ = at; }
  /// Runs an epoch, which must not be longer than messages take from part to part: `link`. Throws
  /// exec::SimulatedFault: of several the earliest, of those in one cycle the first
  /// multiprocessor's; fault_at() tells when it was.
  void run(Cycle until, const exec::GlobalMemory& memory);
  Cycle fault_at() const { return fault_at_; }
  /// Lets everything that is under way arrive, when no blocks are resident.
  void drain(const exec::GlobalMemory& memory);
  Cycles link() const { return link_; }

 private:
  void run_sms(Cycle until);
  void commit_stores(const exec::GlobalMemory& memory);
  void run_partitions(Cycle until);
  void execute_chip_wide();
  void raise_first_fault();
  bool has_mail() const;
  bool busy() const;

  std::unique_ptr<Components> parts_;
  Team team_;
  Cycles link_;
  Cycle now_;
  Cycle fault_at_;
  std::vector<std::exception_ptr> faults_;  ///< Of each multiprocessor, in this epoch.
};

}  // namespace heddle::gpu
