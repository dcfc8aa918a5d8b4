#pragma once

// Computes peak rates and unloaded latencies from a machine's description.

#include <cstdint>
#include <optional>
#include <string>

#include "config/declarations.h"
#include "gpu/machine.h"

namespace heddle {

/// Calls `visit` for each of the machine's parameters. A parameter points to its value (`target`),
/// which exists during the call only.
template <class Visit>
void for_each_parameter(gpu::Machine machine, Visit visit) {
  config::Declarations declarations;
  machine.declare(declarations);
  for (const config::Parameter& parameter : declarations.all()) visit(parameter);
}

/// The name of a kind of multiprocessors in a report: "'big'" for those of group big, "others" for
/// those that belong to no group.
std::string display_name(const gpu::SmKind& kind);

/// The value of a residency parameter, if it is the same on all multiprocessors; else empty.
std::optional<std::uint32_t> uniform_capacity(const gpu::Machine& machine,
                                              std::uint32_t sm::ResidencyDescription::*parameter);

/// Peak rates of the whole chip.
struct MachinePeaks {
  std::uint64_t warp_instructions = 0;  ///< Issued per cycle.
  /// Threads per cycle that the integer and fp32 units together accept, limited by the issue rate.
  double arithmetic_threads = 0;
  double fp32_operations = 0;  ///< Per second; a fused multiply-add counts as two.
  double dram_bytes = 0;       ///< Per second.
};
MachinePeaks peaks_of(const gpu::Machine& machine);

/// Unloaded latencies of a load, in core cycles from its issue, on one kind of a machine's
/// multiprocessors. They exclude the cycles in which the request and the response pass through the
/// crossbar's ports.
struct MachineLatencies {
  std::uint64_t l1_hit = 0;         ///< 0: the machine has no L1.
  std::uint64_t l2_hit = 0;         ///< 0: the machine has no L2.
  std::uint64_t dram = 0;           ///< If the DRAM model has rows: with the load's row open.
  std::uint64_t dram_conflict = 0;  ///< If the DRAM model has rows: with another row open.

  bool operator==(const MachineLatencies&) const = default;
};
MachineLatencies latencies_of(const gpu::Machine& machine, const sm::SmDescription& sm);

}  // namespace heddle
