#pragma once

// Faults that a run injects: one bit that is flipped at a chosen moment. A machine with error
// detection (error_detection.h) finds some of them; the others propagate through the program.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/cycle.h"
#include "base/enum_array.h"

namespace heddle::sm {

/// What holds the bit, and how a fault's moments are numbered: from 0 on, on each multiprocessor.
enum class FaultSite : std::uint8_t {
  lanes,      ///< A lane's result. Moments: the thread operations of arithmetic units.
  registers,  ///< A lane of a live vector register. Moments: cycles, summed over live registers.
  /// The single copy of a uniform value. Moments: cycles from when it is written until it is read
  /// or lost, summed over copies.
  scalars,
  /// An entry of the reuse buffer. Moments: cycles from when it is written until it is found or
  /// replaced, summed over entries.
  entries,
};
template <class Value>
using PerFaultSite = EnumArray<FaultSite, Value, values_up_to(FaultSite::entries)>;
inline constexpr PerFaultSite<std::string_view> kFaultSiteNames{
    {"lanes", "registers", "scalars", "entries"}};

/// A bit to flip.
struct Fault {
  FaultSite site = FaultSite::lanes;
  std::uint32_t sm = 0;
  std::uint64_t moment = 0;
  /// The lane of a register, from 0 to 31. Has no meaning at other sites: a moment of `lanes` is an
  /// operation in one lane.
  std::uint32_t lane = 0;
  /// Any number. It selects one of the registers and predicates of a lane's result. Has no meaning
  /// at other sites.
  std::uint32_t value = 0;
  /// From 0 to 31. Has no meaning in a predicate, nor where any single wrong bit is noticed:
  /// `scalars` and `entries`.
  std::uint32_t bit = 0;
};

/// What the hardware does about a fault.
enum class FaultFate : std::uint8_t {
  pending,     ///< Its moment has not come.
  avoided,     ///< The result was reused, so no unit computed it.
  detected,    ///< The results of two lanes differ.
  corrected,   ///< An intact copy is used, or the operation is executed again.
  erased,      ///< The bit is overwritten, or the warp ends, before it is read.
  propagates,  ///< Nothing has noticed it.
};

/// What came of a fault.
struct FaultRecord {
  FaultFate fate = FaultFate::pending;
  // The instruction at which the fault takes effect.
  Cycle at{};                       ///< When it issues.
  std::uint32_t hardware_warp = 0;  ///< Its warp.
  std::uint32_t pc = 0;
  /// The register or predicate with the wrong bit, in the numbering of an IssueTable, or the entry.
  std::uint32_t number = 0;
  std::uint32_t lane = 0;
};

/// The number of moments on a multiprocessor.
using FaultMoments = PerFaultSite<std::uint64_t>;

/// A request to inject a fault, and the results. Used for one run of one chip.
struct FaultInjection {
  /// Empty: no fault is injected, and `moments` is filled.
  std::optional<Fault> fault{};
  FaultRecord record{};
  std::vector<FaultMoments> moments{};  ///< By multiprocessor.
};

/// Thrown out of the run when the fault has had its final effect: the rest of the run would be that
/// of a run without it.
struct FaultSettled {};

}  // namespace heddle::sm
