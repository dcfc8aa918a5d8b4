#pragma once

// Divides a chip's energy among kinds of multiprocessors and among programs. A kind is the
// multiprocessors of one group, which have the same parameters (gpu/sm_group.h).

#include <cstdint>
#include <vector>

#include "base/cycle.h"
#include "energy/account.h"

namespace heddle::energy {

/// The account of all multiprocessors of one kind (an index into Machine::kinds()), from the
/// counters of that kind. It covers the multiprocessors' own components, without interconnect, L2,
/// DRAM and uncore. The accounts of all kinds need not add up to the account of the whole chip: if
/// kinds differ, the whole chip's account uses mean figures.
Account account_of_kind(const Technology& technology, const gpu::Machine& machine, std::size_t kind,
                        const RunCounters& run);

/// What a program used of a chip. The vectors have one element for each kind of multiprocessor.
struct ProgramShare {
  std::vector<std::uint64_t> warp_instructions{};  ///< Number executed.
  /// Cycles with a resident block of the program, summed over multiprocessors.
  std::vector<Cycles> occupied_sm_cycles{};
};

/// Divides the energy of the whole chip among programs that ran side by side. Returns joules that
/// add up to the whole:
///
/// - dynamic energy of multiprocessors: within each kind in proportion to warp instructions;
/// - dynamic energy of the rest of the chip and DRAM: in proportion to all warp instructions,
///   because no counter attributes transfers to programs;
/// - leakage: in proportion to the time for which a program occupied multiprocessors, weighted by
///   the leakage of one multiprocessor of the kind.
///
/// `kinds` has the account of each kind, or is empty if there is only one kind. There must be at
/// least one program.
std::vector<double> divide_among_programs(const Account& whole, const std::vector<Account>& kinds,
                                          const std::vector<ProgramShare>& programs);

}  // namespace heddle::energy
