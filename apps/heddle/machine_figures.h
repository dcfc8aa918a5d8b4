#pragma once

// What follows from a machine's description.

#include <cstdint>
#include <optional>
#include <string>

#include "config/declarations.h"
#include "gpu/machine.h"

namespace heddle {

/// Calls `look` with each of the machine's parameters; their targets live as long as that.
template <class Look>
void for_each_parameter(gpu::Machine machine, Look look) {
  config::Declarations declarations;
  machine.declare(declarations);
  for (const config::Parameter& parameter : declarations.all()) look(parameter);
}

/// "'big'", "others"
std::string name_for_people(const gpu::SmKind& kind);

/// What each multiprocessor has for its residents; empty where they differ in it.
std::optional<std::uint32_t> room_of_each(const gpu::Machine& machine,
                                          std::uint32_t sm::ResidencyDescription::*of);

/// What all of the chip together can do.
struct MachinePeaks {
  std::uint64_t warp_instructions = 0;  ///< Issued in a cycle.
  double arithmetic_threads = 0;  ///< In a cycle: integer or fp32, as far as they can be issued.
  double fp32_operations = 0;     ///< A second, where a fused multiply-add is two.
  double dram_bytes = 0;          ///< A second.
};
MachinePeaks peaks_of(const gpu::Machine& machine);

/// Of a load that nothing else is in the way of, in core cycles from its issue, on one kind of a
/// machine's multiprocessors. What its request and its answer take on the ports of the crossbar
/// comes on top.
struct MachineLatencies {
  std::uint64_t l1_hit = 0;         ///< 0: there is no L1.
  std::uint64_t l2_hit = 0;         ///< 0: there is no L2.
  std::uint64_t dram = 0;           ///< Its row open, where there are rows.
  std::uint64_t dram_conflict = 0;  ///< Another row to be closed first, where there are rows.

  bool operator==(const MachineLatencies&) const = default;
};
MachineLatencies latencies_of(const gpu::Machine& machine, const sm::SmDescription& sm);

}  // namespace heddle
