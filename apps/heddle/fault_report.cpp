#include "fault_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "print.h"
#include "sm/redundancy/fault.h"
#include "text_table.h"
#include "timing_json.h"

namespace heddle {
namespace {

using lab::FaultsAtSite;
using nlohmann::ordered_json;

constexpr auto kOutcomes = lab::kFaultOutcomeNames;

std::string upper_case(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::vector<std::string> heading() {
  std::vector<std::string> cells{"INTO", "FAULTS"};
  for (const std::string_view name : kOutcomes) cells.push_back(upper_case(name));
  cells.insert(cells.end(), {"PROTECTED", "95 % INTERVAL", "COUNTERS CLAIM"});
  return cells;
}

std::vector<std::string> row_of(const FaultsAtSite& site) {
  std::vector<std::string> cells{std::string(sm::kFaultSiteNames[site.site]),
                                 std::to_string(site.runs.size())};
  for (std::size_t i = 0; i < kOutcomes.size(); ++i) {
    cells.push_back(std::to_string(site.count(kOutcomes.index_at(i))));
  }
  if (site.runs.empty()) {
    cells.insert(cells.end(), {"-", "-", "nothing to hit"});
    return cells;
  }
  const std::uint64_t count = site.protected_count();
  const lab::ShareInterval interval = lab::wilson_interval(count, site.runs.size());
  cells.push_back(percent(static_cast<double>(count) / static_cast<double>(site.runs.size())));
  cells.push_back(fmt::format("{:.1f} to {:.1f} %", 100 * interval.low, 100 * interval.high));
  cells.push_back(site.claimed ? percent(*site.claimed) : "-");
  return cells;
}

ordered_json run_to_json(const lab::FaultRun& run) {
  const sm::FaultRecord& record = run.record;
  ordered_json json{{"sm", run.fault.sm},
                    {"moment", run.fault.moment},
                    {"outcome", kOutcomes[run.outcome]},
                    {"cycle", record.at.number},
                    {"hardware_warp", record.hardware_warp},
                    {"pc", record.pc},
                    {"number", record.number},
                    {"lane", record.lane},
                    {"bit", run.fault.bit}};
  if (!run.error.empty()) json["error"] = run.error;
  return json;
}

ordered_json site_to_json(const FaultsAtSite& site) {
  ordered_json json{{"into", sm::kFaultSiteNames[site.site]},
                    {"moments", site.moments},
                    {"faults", site.runs.size()}};
  for (std::size_t i = 0; i < kOutcomes.size(); ++i) {
    json["outcomes"][std::string(kOutcomes[kOutcomes.index_at(i)])] =
        site.count(kOutcomes.index_at(i));
  }
  json["protected"] = ordered_json();
  if (!site.runs.empty()) {
    const std::uint64_t count = site.protected_count();
    const lab::ShareInterval interval = lab::wilson_interval(count, site.runs.size());
    json["protected"] = {
        {"share", static_cast<double>(count) / static_cast<double>(site.runs.size())},
        {"low", interval.low},
        {"high", interval.high}};
  }
  json["claimed"] = site.claimed ? ordered_json(*site.claimed) : ordered_json();
  json["runs"] = ordered_json::array();
  for (const lab::FaultRun& run : site.runs) json["runs"].push_back(run_to_json(run));
  return json;
}

}  // namespace

void print_faults(const lab::FaultCampaign& campaign, const lab::FaultCampaignResult& result) {
  print("{} ({}) on {}: {} cycles in {} without a fault\n\n", campaign.workload->name,
        workload::name_of(campaign.size), campaign.machine.name, result.cycles,
        result.launches == 1 ? "1 launch" : fmt::format("{} launches", result.launches));
  std::vector<std::vector<std::string>> rows{heading()};
  for (const FaultsAtSite& site : result.sites) rows.push_back(row_of(site));
  print_table(std::move(rows));
}

ordered_json faults_to_json(const lab::FaultCampaign& campaign,
                            const std::vector<std::string>& settings,
                            const lab::FaultCampaignResult& result) {
  ordered_json json{{"schema", "heddle-faults-1"},
                    {"workload", campaign.workload->name},
                    {"size", workload::name_of(campaign.size)},
                    {"input_seed", campaign.input_seed},
                    {"seed", campaign.seed},
                    {"machine", machine_to_json(campaign.machine)},
                    {"settings", settings},
                    {"cycles", result.cycles},
                    {"launches", result.launches}};
  json["sites"] = ordered_json::array();
  for (const FaultsAtSite& site : result.sites) json["sites"].push_back(site_to_json(site));
  return json;
}

}  // namespace heddle
