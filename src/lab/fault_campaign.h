#pragma once

// A campaign of injected faults: many runs of a workload, each with one bit flipped at a random
// place and time. Their outcomes show how many faults a machine's error detection notices, and what
// the others do to the program.

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_array.h"
#include "code/compile.h"
#include "gpu/machine.h"
#include "sm/redundancy/fault.h"
#include "workload/workload.h"

namespace heddle::lab {

/// What became of a run with a fault.
enum class FaultOutcome : std::uint8_t {
  detected,   ///< The hardware noticed it.
  corrected,  ///< The hardware noticed it, and went on with the right value.
  avoided,    ///< The operation was not computed: its result was reused.
  masked,     ///< Nothing noticed it, but the program's output is right.
  silent,     ///< Nothing noticed it, and the program's output is wrong.
  failed,     ///< The program ended with an error, or took too long.
};
template <class Value>
using PerFaultOutcome = EnumArray<FaultOutcome, Value, values_up_to(FaultOutcome::failed)>;
inline constexpr PerFaultOutcome<std::string_view> kFaultOutcomeNames{
    {"detected", "corrected", "avoided", "masked", "silent", "failed"}};

/// An interval of confidence for a share.
struct ShareInterval {
  double low = 0;
  double high = 1;
};
/// The interval of 95 % by Wilson (Probable inference, the law of succession, and statistical
/// inference, 1927) for a share of which `count` of `trials` were seen. `trials` must not be 0.
ShareInterval wilson_interval(std::uint64_t count, std::uint64_t trials);

struct FaultRun {
  sm::Fault fault{};
  sm::FaultRecord record{};
  FaultOutcome outcome = FaultOutcome::masked;
  std::string error{};  ///< Why the run failed.
};

/// The faults at one site.
struct FaultsAtSite {
  sm::FaultSite site = sm::FaultSite::lanes;
  std::uint64_t moments = 0;  ///< From which those of the faults were drawn; see sm::FaultSite.
  /// The share of the moments at which the counters say that a fault would be noticed, or have no
  /// effect because the operation is avoided. Empty if no counter says so.
  std::optional<double> claimed{};
  std::vector<FaultRun> runs{};

  std::uint64_t count(FaultOutcome outcome) const;
  /// The number of faults that were detected, corrected or avoided.
  std::uint64_t protected_count() const;
};

struct FaultCampaignResult {
  std::uint64_t cycles = 0;  ///< Of the run without a fault, summed over its launches.
  std::uint64_t launches = 0;
  std::vector<FaultsAtSite> sites{};
};

struct FaultCampaign {
  const workload::Workload* workload = nullptr;
  workload::Size size = workload::Size::tiny;
  std::uint64_t input_seed = 1;
  gpu::Machine machine{};
  code::CompileOptions compile{};
  std::vector<sm::FaultSite> sites{};
  std::uint64_t faults = 1000;  ///< At each site.
  std::uint64_t seed = 1;       ///< Of the places and times of the faults.
  std::uint32_t jobs = 1;       ///< Host threads; each simulates one run at a time.
  std::stop_token stop{};
  /// Called on the calling host thread with the number of runs that have ended; may be empty.
  std::function<void(std::uint64_t ended, std::uint64_t all)> progress{};
};

/// How many times as long as without the fault a run may take, before it counts as failed.
inline constexpr std::uint64_t kFaultCycleFactor = 20;

/// Runs a campaign. The result does not depend on the number of jobs. A site without moments has no
/// runs. Throws InputError if the machine detects no errors. Returns nothing if it was stopped.
std::optional<FaultCampaignResult> run_fault_campaign(const FaultCampaign& campaign);

}  // namespace heddle::lab
