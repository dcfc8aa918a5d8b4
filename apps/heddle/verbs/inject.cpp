#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <thread>

#include "base/error.h"
#include "base/message.h"
#include "base/output_file.h"
#include "fault_report.h"
#include "gpu/check_constructible.h"
#include "interrupt.h"
#include "json_output.h"
#include "lab/fault_campaign.h"
#include "machine_options.h"
#include "option_values.h"
#include "progress.h"
#include "residency_choice.h"
#include "verbs/verbs.h"

namespace heddle {
namespace {

constexpr std::uint64_t kMaxFaults = 10'000'000;
constexpr std::uint64_t kMaxJobs = 1024;

struct InjectOptions {
  std::string name;
  MachineOptions machine;
  std::string size = "tiny";
  std::string input_seed = "1";
  std::string faults = "1000";
  std::string seed = "1";
  std::string into = "all";
  std::string jobs;
  std::string json;
};

/// The sites that the value of --into names.
std::vector<sm::FaultSite> parse_sites(const std::string& into) {
  std::vector<sm::FaultSite> sites;
  for (std::size_t i = 0; i < sm::kFaultSiteNames.size(); ++i) {
    const sm::FaultSite site = sm::kFaultSiteNames.index_at(i);
    if (into == "all" || into == sm::kFaultSiteNames[site]) sites.push_back(site);
  }
  if (sites.empty()) {
    throw InputError(
        fmt::format("--into: unknown choice '{}'; choose one of: lanes, registers, scalars, "
                    "entries, all",
                    into));
  }
  return sites;
}

lab::FaultCampaign parse_campaign(const InjectOptions& options) {
  lab::FaultCampaign campaign{.workload = &workload::find_workload(options.name),
                              .size = workload::parse_size(options.size)};
  campaign.input_seed = parse_whole_number("--input-seed", options.input_seed);
  campaign.sites = parse_sites(options.into);
  campaign.faults = parse_whole_number("--faults", options.faults, 1, kMaxFaults);
  campaign.seed = parse_whole_number("--seed", options.seed);
  campaign.jobs = static_cast<std::uint32_t>(
      options.jobs.empty() ? std::max(std::thread::hardware_concurrency(), 1U)
                           : parse_whole_number("--jobs", options.jobs, 1, kMaxJobs));
  if (options.machine.machine.empty()) {
    throw InputError("--machine: is missing; choose one of 'heddle list machines'");
  }
  campaign.machine = gpu::load_machine(options.machine.machine, options.machine.settings);
  gpu::check_constructible(campaign.machine);
  return campaign;
}

ExitCode inject_faults(const InjectOptions& options) {
  lab::FaultCampaign campaign = parse_campaign(options);
  campaign.compile = compile_options_for(campaign.machine, campaign.workload->kernels);
  std::optional<OutputFile> json;
  if (!options.json.empty()) json.emplace(options.json);
  std::optional<lab::FaultCampaignResult> result;
  std::uint64_t ended_runs = 0;
  {
    Progress progress;
    const Interrupt interrupt;
    campaign.stop = interrupt.token();
    campaign.progress = [&](std::uint64_t ended, std::uint64_t all) {
      ended_runs = ended;
      progress.show("injecting", fmt::format("{} of {} faults", ended, all));
    };
    result = lab::run_fault_campaign(campaign);
  }
  if (!result) {
    say(fmt::format("interrupted after {} faults; no results", ended_runs));
    return ExitCode::interrupted;
  }
  if (json) write_json(faults_to_json(campaign, options.machine.settings, *result), *json);
  if (!json || json->name() != "-") print_faults(campaign, *result);
  return ExitCode::done;
}

}  // namespace

void add_inject(CLI::App& app, ExitCode& result) {
  CLI::App* verb = app.add_subcommand(
      "inject", "Flip bits in runs of a workload, and show which faults the machine notices");
  auto options = std::make_shared<InjectOptions>();
  verb->add_option("name", options->name, "A workload of 'heddle list workloads'")
      ->required()
      ->type_name("NAME");
  add_machine_choice(*verb, options->machine);
  verb->add_option("--faults", options->faults,
                   "Number of faults into each place, each in a run of its own")
      ->capture_default_str()
      ->type_name("N");
  verb->add_option("--into", options->into,
                   "Where bits are flipped: results of operations (lanes), live vector registers, "
                   "single copies of uniform values (scalars), entries of the reuse buffer, or all "
                   "of them")
      ->capture_default_str()
      ->type_name("lanes|registers|scalars|entries|all");
  verb->add_option("--seed", options->seed, "Seed of the faults' places and times")
      ->capture_default_str()
      ->type_name("N");
  verb->add_option("--size", options->size,
                   "Input size: tiny, small, medium, large, or paper if a paper states the size")
      ->capture_default_str()
      ->type_name("SIZE");
  verb->add_option("--input-seed", options->input_seed, "Seed of the generated input")
      ->capture_default_str()
      ->type_name("N");
  verb->add_option("--jobs", options->jobs,
                   "Number of runs that are simulated in parallel, each on one host thread "
                   "(default: the number of the host's threads). Results do not depend on it")
      ->type_name("N");
  verb->add_option("--json", options->json,
                   "Write the result, with every fault, as JSON; '-' for standard output")
      ->type_name("FILE|-")
      ->check(file_name());
  verb->footer(
      "The machine needs redundancy.policy=token or scalar-file, and "
      "redundancy.detect_errors=yes.\n"
      "A fault is detected, corrected, or avoided (the result was reused, so nothing was "
      "computed);\n"
      "else it is masked (the output is right), silent (the output is wrong), or the run "
      "failed.\n\n"
      "Example: heddle inject matrix-multiply --machine uniform --faults 500 --into lanes --set "
      "redundancy.policy=token --set redundancy.detect_errors=yes");
  verb->callback([options, &result] { result = inject_faults(*options); });
}

}  // namespace heddle
