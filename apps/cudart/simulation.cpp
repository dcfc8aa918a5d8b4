// The simulation inside a CUDA program's process: configured by environment variables, and reported
// when the process ends.

#include "cuda/runtime/simulation.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include "activity.h"
#include "base/error.h"
#include "base/message.h"
#include "base/printable.h"
#include "crashes.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/environment.h"
#include "cuda/runtime/session.h"
#include "file_stamp.h"
#include "json_output.h"
#include "locality_output.h"
#include "machine_options.h"
#include "memory_options.h"
#include "power_picture.h"
#include "report.h"
#include "run_outputs.h"
#include "sample_report.h"
#include "signals.h"
#include "timing.h"

namespace heddle::cuda {
namespace {

/// The value of an environment variable; empty if it is not set.
std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The number in an environment variable; `otherwise` if the variable is not set or empty. Throws
/// InputError if its value is not a whole number.
template <class Number>
Number number(const char* name, Number otherwise) {
  const std::string text = variable(name);
  if (text.empty()) return otherwise;
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw InputError(fmt::format("{} is '{}', which is not a whole number", name, text));
  }
  return value;
}

/// The lines of `text` that are not empty.
std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end != begin) found.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return found;
}

LocalityOptions requested_locality() {
  return {.file = variable(kLocalityVariable),
          .chart = variable(kLocalityChartVariable),
          .stream = variable(kLocalityStreamVariable),
          .accesses = variable(kLocalityAccessesVariable),
          .stage = variable(kLocalityStageVariable),
          .reading = variable(kLocalityReadingVariable),
          .interval = variable(kLocalityIntervalVariable)};
}

gpu::Machine requested_machine(const std::vector<std::string>& settings) {
  const std::string name = variable(kMachineVariable);
  return gpu::load_machine(name.empty() ? kDefaultMachine : name, settings);
}

class ProcessSimulation final : public SimulationInterface {
 public:
  ProcessSimulation()
      : settings_(lines(variable(kSettingsVariable))),
        machine_(requested_machine(settings_)),
        max_registers_(number<std::uint32_t>(kRegistersVariable, 0)),
        max_instructions_(number(kInstructionsVariable, ~std::uint64_t{0})),
        memory_choice_({.device_memory = variable(kMemoryVariable),
                        .allocation_gap = variable(kGapVariable),
                        .out_of_bounds = variable(kOutOfBoundsVariable)}),
        memory_(parse_memory_options(memory_choice_)) {
    const bool is_timed = variable(kFunctionalVariable).empty();
    if (is_timed) make_chip();
    locality_.emplace(requested_locality(), is_timed);
    access_observers_ = locality_->start(timed_ ? &*timed_ : nullptr);
    handle_signals({.status = [this] { print_status(); }, .end = [] { finish_by_signal(); }});
  }

  const gpu::Machine& machine() const override { return machine_; }
  exec::Engine* engine() override { return timed_ ? &timed_->chip : nullptr; }
  exec::AccessObservers* access_observers() override { return access_observers_; }
  std::uint32_t max_registers() const override { return max_registers_; }
  std::uint64_t max_instructions() const override { return max_instructions_; }

  exec::MemoryOptions memory_options() const override { return memory_; }

  double simulated_seconds() const override {
    if (!timed_ || timed_->chip.runs().empty()) return 0;
    const gpu::KernelRun& last = timed_->chip.runs().back();
    return static_cast<double>((last.begin + last.cycles).number) / (1e6 * machine_.clock.core_mhz);
  }

  void begin_launch(const std::string& kernel) override { activity_.begin_launch(kernel); }
  void end_launch() override { activity_.end_launch(); }

  void receive_progress(const exec::GridProgress& now) override {
    unfinished_ = now.so_far;
    report_progress({.warp_instructions = now.so_far.warp_instructions,
                     .blocks_done = now.blocks_done,
                     .blocks = now.blocks});
  }

  exec::GridResult interrupted_result() const override {
    if (!timed_) return unfinished_;
    const gpu::KernelRun& last = timed_->chip.runs().back();
    return {.warp_instructions = last.warp_instructions,
            .thread_instructions = last.thread_instructions};
  }

  void print(std::string_view text) override {
    activity_.clear_line();
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }

  void report(const ProcessTotals& totals) override {
    const TimedChip* const timed = timed_ ? &*timed_ : nullptr;
    // If a signal handler of the program called exit() during a launch, the trace may be
    // half-written.
    const bool trace_is_consistent = !activity_.is_launch_in_flight();
    activity_.clear_line();
    std::vector<Write> writes{
        [&] {
          const std::string file = variable(kJsonVariable);
          if (file.empty()) return;
          // A process without launches must not overwrite the file that its child wrote.
          if (totals.kernels.empty() && file_stamp(file) != variable(kJsonStampVariable)) return;
          nlohmann::ordered_json json = report_to_json(totals, ending_signal(), timed);
          add_memory(json, memory_choice_);
          write_json(json, OutputFile(file));
        },
        [&] {
          const std::string file = variable(kSampleCsvVariable);
          if (timed != nullptr && !file.empty()) {
            OutputFile(file).write(samples_csv(*timed));
          }
        },
        [&] {
          const std::string file = variable(kPowerChartVariable);
          if (timed != nullptr && !file.empty()) {
            OutputFile(file).write(power_picture(*timed));
          }
        },
        [&] {
          if (trace_is_consistent) finish_trace(timed);
        },
        [&] {
          write_to_standard_error(printable_text(report_text(totals, ending_signal(), timed)));
        }};
    add_locality(writes, totals);
    write_all(writes);
  }
  void explain_crashes(std::vector<CodeRange> code, const std::string& message) override {
    cuda::explain_crashes(std::move(code), message);
  }
  void end_by_signal() override { cuda::end_by_signal(); }

 private:
  /// Adds the files of --locality, and its line of the summary. As for --json, a process without
  /// launches must not overwrite the files that its child wrote.
  void add_locality(std::vector<Write>& writes, const ProcessTotals& totals) const {
    const locality::Recorder* const recorder = locality_->recorder();
    if (recorder == nullptr || totals.kernels.empty()) return;
    for (Write& write : locality_->writes(readable_name)) writes.push_back(std::move(write));
    writes.emplace_back([=] { write_to_standard_error(locality_text(*recorder)); });
  }

  void make_chip() {
    const auto progress = [this](const gpu::ChipProgress& now) {
      report_progress({.cycles = now.cycles,
                       .warp_instructions = now.warp_instructions,
                       .blocks_done = now.blocks_done,
                       .blocks = now.blocks});
    };
    const std::string energy = variable(kEnergyVariable);
    const SampleOptions samples{.interval = variable(kSampleVariable),
                                .counters = variable(kSampleCountersVariable),
                                .csv = variable(kSampleCsvVariable),
                                .chart = variable(kPowerChartVariable)};
    Sampling sampling = parse_sampling(samples, variable(kJsonVariable), energy, machine_);
    timed_.emplace(machine_, settings_,
                   gpu::ChipOptions{.threads = number<std::uint32_t>(kThreadsVariable, 1),
                                    .max_cycles = number(kCyclesVariable, ~std::uint64_t{0}),
                                    .count_by_component = !variable(kCountEachVariable).empty(),
                                    .sample_interval = Cycles(sampling.interval),
                                    .progress = progress},
                   make_trace({.file = variable(kTraceVariable),
                               .sms = variable(kTraceSmsVariable),
                               .cycles = variable(kTraceCyclesVariable)},
                              machine_));
    if (const std::optional<EnergyRequest> request = parse_energy(energy)) {
      timed_->technology = technology_for(*request, machine_);
      timed_->listed_components = request->listed;
    }
    timed_->sampling = std::move(sampling);
  }

  /// Called in the thread that launched the kernel. Throws Interrupted if the process is to end.
  void report_progress(const LaunchState& now) {
    if (Session::instance().ending != Session::Ending::none) throw Interrupted();
    activity_.report(now);
  }

  void print_status() {
    activity_.clear_line();
    say(activity_.text());
  }

  static void finish_by_signal() {
    Session& session = Session::instance();
    session.ending = Session::Ending::signal;
    // A launch in flight holds the mutex, and ends the process itself at its next progress report.
    const std::scoped_lock lock(session.mutex);
    session.finish_by_signal();
  }

  std::vector<std::string> settings_;
  gpu::Machine machine_;
  std::uint32_t max_registers_;
  std::uint64_t max_instructions_;
  MemoryChoice memory_choice_;
  exec::MemoryOptions memory_;
  Activity activity_;
  exec::GridResult unfinished_;
  std::optional<TimedChip> timed_;
  std::optional<LocalityOutput> locality_;
  exec::AccessObservers* access_observers_ = nullptr;
};

/// Reports the simulation when the process ends.
__attribute__((destructor)) void finish_at_exit() {
  Session& session = Session::instance();
  if (session.is_forked_off()) return;
  auto not_ending = Session::Ending::none;
  session.ending.compare_exchange_strong(not_ending, Session::Ending::exit);
  call_despite_error("the end of the program", [](Session& ending) { ending.finish(); });
}

}  // namespace

std::unique_ptr<SimulationInterface> make_simulation() {
  return std::make_unique<ProcessSimulation>();
}

}  // namespace heddle::cuda
