// The simulation inside a CUDA program's process: made as the environment asks for it, reported
// when the process ends.

#include "cuda/runtime/simulation.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "base/message.h"
#include "base/printable.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/environment.h"
#include "json_output.h"
#include "machine_options.h"
#include "memory_options.h"
#include "report.h"
#include "run_outputs.h"
#include "timing.h"

namespace heddle::cuda {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Throws InputError for what is no number.
template <class Number>
Number number(const char* name, Number otherwise) {
  const std::string text = variable(name);
  if (text.empty()) return otherwise;
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw InputError(fmt::format("{} is '{}', which is no whole number", name, text));
  }
  return value;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end != begin) found.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return found;
}

gpu::Machine machine_asked_for(const std::vector<std::string>& settings) {
  const std::string name = variable(kMachineVariable);
  return gpu::load_machine(name.empty() ? kDefaultMachine : name, settings);
}

class ProcessSimulation final : public Simulation {
 public:
  ProcessSimulation()
      : settings_(lines(variable(kSettingsVariable))),
        machine_(machine_asked_for(settings_)),
        most_registers_(number<std::uint32_t>(kRegistersVariable, 0)),
        most_instructions_(number(kInstructionsVariable, ~std::uint64_t{0})),
        memory_choice_({.device_memory = variable(kMemoryVariable),
                        .allocation_gap = variable(kGapVariable),
                        .out_of_bounds = variable(kOutOfBoundsVariable)}),
        memory_(parse_memory_options(memory_choice_)),
        process_(::getpid()) {
    if (!variable(kFunctionalVariable).empty()) return;
    timed_.emplace(machine_, settings_,
                   gpu::ChipOptions{.threads = number<std::uint32_t>(kThreadsVariable, 1),
                                    .max_cycles = number(kCyclesVariable, ~std::uint64_t{0}),
                                    .count_each = !variable(kCountEachVariable).empty()},
                   make_trace({.file = variable(kTraceVariable),
                               .sms = variable(kTraceSmsVariable),
                               .cycles = variable(kTraceCyclesVariable)},
                              machine_));
  }

  const gpu::Machine& machine() const override { return machine_; }
  exec::Engine* engine() override { return timed_ ? &timed_->chip : nullptr; }
  std::uint32_t most_registers() const override { return most_registers_; }
  std::uint64_t most_instructions() const override { return most_instructions_; }

  exec::MemoryOptions memory() const override { return memory_; }

  double seconds() const override {
    if (!timed_ || timed_->chip.runs().empty()) return 0;
    const gpu::KernelRun& last = timed_->chip.runs().back();
    return static_cast<double>((last.begin + last.cycles).number) / (1e6 * machine_.clock.core_mhz);
  }

  void report(const LaunchTotals& totals) override {
    // A child that was forked has nothing of its own to report.
    if (::getpid() != process_) return;
    const TimedChip* const timed = timed_ ? &*timed_ : nullptr;
    write_all({[&] {
                 const std::string file = variable(kJsonVariable);
                 if (file.empty()) return;
                 nlohmann::ordered_json json = report_to_json(totals, timed);
                 add_memory(json, memory_choice_);
                 write_json(json, OutputFile(file));
               },
               [&] { finish_trace(timed); },
               [&] { write_to_standard_error(printable_text(report_text(totals, timed))); }});
  }

 private:
  std::vector<std::string> settings_;
  gpu::Machine machine_;
  std::uint32_t most_registers_;
  std::uint64_t most_instructions_;
  MemoryChoice memory_choice_;
  exec::MemoryOptions memory_;
  ::pid_t process_;
  std::optional<TimedChip> timed_;
};

__attribute__((destructor)) void end_of_process() {
  call_regardless("the end of the program", [](Session& session) { session.finish(); });
}

}  // namespace

std::unique_ptr<Simulation> make_simulation() { return std::make_unique<ProcessSimulation>(); }

}  // namespace heddle::cuda
