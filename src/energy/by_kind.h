#pragma once

// Energy where a chip has several kinds of multiprocessor, or several programs.

#include <cstdint>
#include <vector>

#include "base/cycle.h"
#include "energy/account.h"

namespace heddle::energy {

/// Of all multiprocessors of a kind (by the order of Machine::kinds()), from what these counted:
/// their own components, without interconnect, L2, DRAM and what the chip has besides. An account
/// of the whole chip takes means where kinds differ, so that these need not add up to it.
Account account_of_kind(const Technology& technology, const gpu::Machine& machine, std::size_t kind,
                        const Counted& counted);

/// What of a chip's time was a program's; by kind of multiprocessor.
struct ProgramShare {
  std::vector<std::uint64_t> warp_instructions{};
  std::vector<Cycles> held{};  ///< Over multiprocessors, that it had a block there.
};

/// The whole's energy, dealt out to programs that ran side by side; in joules, and all of it:
///
/// - what multiprocessors take for what they do, kind by kind by warp instructions;
/// - what the rest of the chip and DRAM take for what they do, by warp instructions in all: whose a
///   transfer was, nobody counts;
/// - leakage by the time for which a program held multiprocessors, those of a kind by what one
///   of them leaks.
///
/// `kinds`: an account of each kind; empty where there is one alone.
std::vector<double> deal_out(const Account& whole, const std::vector<Account>& kinds,
                             const std::vector<ProgramShare>& programs);

}  // namespace heddle::energy
