#include "lab/fault_campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <mutex>
#include <numeric>

#include "base/error.h"
#include "exec/fault/fault.h"
#include "gpu/chip.h"
#include "lab/worker_threads.h"
#include "workload/random.h"
#include "workload/run.h"

namespace heddle::lab {
namespace {

/// Ends a run that takes too long.
struct TookTooLong {};
/// Ends a run because the campaign was stopped.
struct CampaignStopped {};

/// What a run did that came to its end.
struct EndedRun {
  bool is_right = false;
  std::vector<gpu::KernelRun> launches;
  std::vector<gpu::CounterName> counters;
};

std::uint64_t cycles_of(const std::vector<gpu::KernelRun>& launches) {
  return std::accumulate(
      launches.begin(), launches.end(), std::uint64_t{0},
      [](std::uint64_t sum, const gpu::KernelRun& launch) { return sum + launch.cycles.count; });
}

/// The sum of a counter over the launches of a run.
std::uint64_t counter_of(const EndedRun& run, std::string_view name) {
  const auto found = std::find_if(run.counters.begin(), run.counters.end(),
                                  [&](const gpu::CounterName& each) { return each.name == name; });
  if (found == run.counters.end()) return 0;
  const auto index = static_cast<std::size_t>(found - run.counters.begin());
  return std::accumulate(run.launches.begin(), run.launches.end(), std::uint64_t{0},
                         [&](std::uint64_t sum, const gpu::KernelRun& launch) {
                           return sum + launch.counters[index];
                         });
}

/// Runs the workload once. Throws what ends the run: exec::SimulatedFault, sm::FaultSettled,
/// TookTooLong, CampaignStopped, or an error of the host part.
EndedRun run_once(const FaultCampaign& campaign, sm::FaultInjection& injection,
                  std::uint64_t max_cycles) {
  const auto check_stop = [&](const auto&...) {
    if (campaign.stop.stop_requested()) throw CampaignStopped();
  };
  gpu::Chip chip(campaign.machine,
                 {.max_cycles = max_cycles, .injection = &injection, .progress = check_stop});
  workload::RunOptions options{.size = campaign.size, .seed = campaign.input_seed};
  options.device.engine = &chip;
  options.device.compile = campaign.compile;
  options.device.print = [](std::string_view) {};
  options.device.notice = [](std::string_view) {};
  // A wrong value that the host part reads can make it launch kernels for ever.
  options.progress = [&](std::string_view, std::string_view) {
    check_stop();
    if (cycles_of(chip.runs()) > max_cycles) throw TookTooLong();
  };
  const workload::RunResult result = workload::run_workload(*campaign.workload, options);
  return {.is_right = result.check.passed(), .launches = chip.runs(), .counters = chip.counters()};
}

/// The outcome of a fault that the rest of the run cannot change; empty for the others.
std::optional<FaultOutcome> final_outcome(sm::FaultFate fate) {
  switch (fate) {
    case sm::FaultFate::detected:
      return FaultOutcome::detected;
    case sm::FaultFate::corrected:
      return FaultOutcome::corrected;
    case sm::FaultFate::avoided:
      return FaultOutcome::avoided;
    case sm::FaultFate::erased:
      return FaultOutcome::masked;
    case sm::FaultFate::propagates:
    case sm::FaultFate::pending:
      break;
  }
  return std::nullopt;
}

/// Runs the workload with the fault.
void run_with_fault(const FaultCampaign& campaign, std::uint64_t max_cycles, FaultRun& run) {
  sm::FaultInjection injection{.fault = run.fault};
  std::optional<FaultOutcome> outcome;
  try {
    outcome = run_once(campaign, injection, max_cycles).is_right ? FaultOutcome::masked
                                                                 : FaultOutcome::silent;
  } catch (const CampaignStopped&) {
    throw;
  } catch (const sm::FaultSettled&) {
  } catch (const TookTooLong&) {
    run.error =
        fmt::format("took more than {} times as long as without the fault", kFaultCycleFactor);
  } catch (const std::exception& error) {
    run.error = error.what();
  }
  if (!run.error.empty()) outcome = FaultOutcome::failed;
  run.record = injection.record;
  if (run.record.fate == sm::FaultFate::pending) {
    throw std::logic_error(fmt::format("the run has no moment {} of '{}' on multiprocessor {}",
                                       run.fault.moment, sm::kFaultSiteNames[run.fault.site],
                                       run.fault.sm));
  }
  const std::optional<FaultOutcome> final = final_outcome(run.record.fate);
  run.outcome = final ? *final : outcome.value();
}

/// A random number below `bound`.
std::uint64_t below(workload::Random& random, std::uint64_t bound) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(Wide{random.next()} * bound >> 64);
}

/// Draws the faults of a site, uniformly among the moments of all multiprocessors. They do not
/// depend on the campaign's other sites.
FaultsAtSite draw_faults(sm::FaultSite site, const std::vector<sm::FaultMoments>& moments,
                         const FaultCampaign& campaign) {
  FaultsAtSite faults{.site = site};
  for (const sm::FaultMoments& each : moments) faults.moments += each[site];
  if (faults.moments == 0) return faults;
  workload::Random random(campaign.seed * sm::kFaultSiteNames.size() +
                          static_cast<std::uint64_t>(site));
  faults.runs.resize(campaign.faults);
  for (FaultRun& run : faults.runs) {
    std::uint64_t moment = below(random, faults.moments);
    std::uint32_t sm = 0;
    while (moment >= moments[sm][site]) moment -= moments[sm++][site];
    run.fault = {.site = site,
                 .sm = sm,
                 .moment = moment,
                 .lane = random.below(32),
                 .value = static_cast<std::uint32_t>(random.next() >> 32),
                 .bit = random.below(32)};
  }
  return faults;
}

std::optional<double> claimed_share(const EndedRun& run, sm::FaultSite site) {
  const auto share = [&](std::string_view part, std::string_view all) {
    return static_cast<double>(counter_of(run, part)) / static_cast<double>(counter_of(run, all));
  };
  switch (site) {
    case sm::FaultSite::lanes:
      return share("redundancy.errors.protected_operations", "redundancy.errors.operations");
    case sm::FaultSite::registers:
      return share("redundancy.errors.protected_live_cycles", "redundancy.errors.live_cycles");
    case sm::FaultSite::scalars:
    case sm::FaultSite::entries:
      break;
  }
  return std::nullopt;
}

/// Simulates the runs of a campaign on several host threads.
class Workers {
 public:
  Workers(const FaultCampaign& campaign, std::uint64_t max_cycles, std::vector<FaultRun*> runs)
      : campaign_(campaign), max_cycles_(max_cycles), runs_(std::move(runs)) {}

  /// Returns whether all runs have ended.
  bool run() {
    const std::size_t count = std::min<std::size_t>(std::max(campaign_.jobs, 1U), runs_.size());
    work_on_threads(
        count, [this] { work(); }, std::chrono::milliseconds(200),
        [this] {
          if (campaign_.progress) campaign_.progress(ended_, runs_.size());
        });
    if (error_) std::rethrow_exception(error_);
    return ended_ == runs_.size();
  }

 private:
  void work() {
    try {
      for (std::size_t i = next_++; i < runs_.size() && !is_over_; i = next_++) {
        run_with_fault(campaign_, max_cycles_, *runs_[i]);
        ++ended_;
      }
    } catch (const CampaignStopped&) {
      is_over_ = true;
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      is_over_ = true;
    }
  }

  const FaultCampaign& campaign_;
  std::uint64_t max_cycles_;
  std::vector<FaultRun*> runs_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::size_t> ended_ = 0;
  std::atomic<bool> is_over_ = false;
  std::mutex mutex_;
  std::exception_ptr error_;  ///< The first error of Heddle itself.
};

}  // namespace

ShareInterval wilson_interval(std::uint64_t count, std::uint64_t trials) {
  // 95 % of a normal distribution lie within so many standard deviations.
  constexpr double kZ = 1.959963985;
  const auto n = static_cast<double>(trials);
  const double share = static_cast<double>(count) / n;
  const double scale = 1 + kZ * kZ / n;
  const double centre = (share + kZ * kZ / (2 * n)) / scale;
  const double half = kZ / scale * std::sqrt(share * (1 - share) / n + kZ * kZ / (4 * n * n));
  return {.low = count == 0 ? 0 : centre - half, .high = count == trials ? 1 : centre + half};
}

std::uint64_t FaultsAtSite::count(FaultOutcome outcome) const {
  return static_cast<std::uint64_t>(std::count_if(
      runs.begin(), runs.end(), [&](const FaultRun& run) { return run.outcome == outcome; }));
}

std::uint64_t FaultsAtSite::protected_count() const {
  return count(FaultOutcome::detected) + count(FaultOutcome::corrected) +
         count(FaultOutcome::avoided);
}

std::optional<FaultCampaignResult> run_fault_campaign(const FaultCampaign& campaign) {
  sm::FaultInjection no_fault;
  EndedRun clean;
  try {
    clean = run_once(campaign, no_fault, ~std::uint64_t{0});
  } catch (const CampaignStopped&) {
    return std::nullopt;
  }
  if (!clean.is_right) {
    throw InputError(
        fmt::format("the output of '{}' is wrong without a fault; 'heddle run' shows "
                    "where",
                    campaign.workload->name));
  }
  FaultCampaignResult result{.cycles = cycles_of(clean.launches),
                             .launches = clean.launches.size()};
  for (const sm::FaultSite site : campaign.sites) {
    result.sites.push_back(draw_faults(site, no_fault.moments, campaign));
    if (result.sites.back().moments > 0) {
      result.sites.back().claimed = claimed_share(clean, site);
    }
  }
  std::vector<FaultRun*> runs;
  for (FaultsAtSite& site : result.sites) {
    for (FaultRun& run : site.runs) runs.push_back(&run);
  }
  if (!Workers(campaign, result.cycles * kFaultCycleFactor, std::move(runs)).run()) {
    return std::nullopt;
  }
  return result;
}

}  // namespace heddle::lab
