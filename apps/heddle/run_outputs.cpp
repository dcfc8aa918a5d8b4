#include "run_outputs.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <utility>

#include "base/error.h"
#include "base/message.h"
#include "json_output.h"
#include "power_picture.h"
#include "print.h"
#include "sample_report.h"

namespace heddle {

void write_all(const std::vector<Write>& writes) {
  std::exception_ptr first_exception;
  for (const Write& write : writes) {
    try {
      write();
    } catch (...) {
      if (!first_exception) first_exception = std::current_exception();
    }
  }
  if (first_exception) std::rethrow_exception(first_exception);
}

OutputFile output_of(const char* option, const std::string& name) {
  if (name == "-") {
    throw InputError(fmt::format("{}: name a file; it cannot go to standard output", option));
  }
  return OutputFile(name);
}

RunOutputs::RunOutputs(const std::string& json, const MachineOptions& machine)
    : locality_(machine.locality, !machine.machine.empty()) {
  if (json == "-" && machine.trace.file == "-") {
    throw InputError("only one of --json and --trace can go to standard output");
  }
  if (!json.empty()) json_.emplace(json);
  if (!machine.lifetimes.empty()) lifetimes_ = output_of("--lifetimes", machine.lifetimes);
  if (!machine.samples.csv.empty()) samples_ = output_of("--sample-csv", machine.samples.csv);
  if (!machine.samples.chart.empty()) {
    power_chart_ = output_of("--power-chart", machine.samples.chart);
  }
  // Throws if the file cannot be written; make_chip() opens it.
  if (!machine.trace.file.empty()) const OutputFile tried(machine.trace.file);
}

std::function<void(std::string_view)> RunOutputs::printer(Progress& progress) const {
  return [&progress, to = json_goes_to_stdout() ? stderr : stdout](std::string_view text) {
    progress.clear();
    std::fwrite(text.data(), 1, text.size(), to);
  };
}

std::function<void(std::string_view)> RunOutputs::notifier(Progress& progress) {
  return [&progress](std::string_view text) {
    progress.clear();
    say(text);
  };
}

std::vector<Write> RunOutputs::observation_writes(const TimedChip* timed) const {
  std::vector<Write> writes;
  if (samples_) writes.emplace_back([=, this] { samples_->write(samples_csv(*timed)); });
  if (power_chart_) {
    writes.emplace_back([=, this] { power_chart_->write(power_picture(*timed)); });
  }
  for (Write& write : locality_.writes([](const std::string& kernel) { return kernel; })) {
    writes.push_back(std::move(write));
  }
  return writes;
}

void RunOutputs::write(const Results& results, const TimedChip* timed) const {
  std::vector<Write> writes = results.others;
  if (json_) writes.emplace_back([&] { write_json(results.json(), *json_); });
  if (lifetimes_) {
    writes.emplace_back([&] { lifetimes_->write(lifetimes_text(timed->chip.runs())); });
  }
  for (Write& write : observation_writes(timed)) writes.push_back(std::move(write));
  writes.emplace_back([&] { finish_trace(timed); });
  if (!json_goes_to_stdout()) {
    writes.push_back(results.print_summary);
    if (const locality::Recorder* const recorder = locality_.recorder()) {
      writes.emplace_back([=] { print("{}", locality_text(*recorder)); });
    }
  }
  write_all(writes);
}

void RunOutputs::write_fault(const TimedChip* timed, const Json& json) const {
  const auto attempt = [](const Write& write) {
    try {
      write();
    } catch (const std::exception& error) {
      say(error.what());
    }
  };
  attempt([&] { finish_trace(timed); });
  if (json_) attempt([&] { write_json(json(), *json_); });
  for (const Write& write : observation_writes(timed)) attempt(write);
}

}  // namespace heddle
