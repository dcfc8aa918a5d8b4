#pragma once

// Writes results to the files and streams that a verb's options name, and reports faults. Used by
// every verb that runs kernels.

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/output_file.h"
#include "exec/fault/fault.h"
#include "locality_output.h"
#include "machine_options.h"
#include "progress.h"

namespace heddle {

using Write = std::function<void()>;

/// Calls all writes, even if some throw; then rethrows the first exception.
void write_all(const std::vector<Write>& writes);

/// The file that an option names. Throws InputError if it cannot be written, and for '-': the
/// option does not accept standard output.
OutputFile output_of(const char* option, const std::string& name);

/// The files that a run's options ask for.
class RunOutputs {
 public:
  /// `json`: the value of --json: a file, "-" for standard output, or empty. Throws InputError if
  /// one of the files cannot be written, so that the simulation does not start.
  RunOutputs(const std::string& json, const MachineOptions& machine);

  /// As LocalityOutput::start().
  exec::AccessObservers* start_locality(const TimedChip* timed) { return locality_.start(timed); }
  /// Returns a function that prints the output of kernels to standard output, or to standard error
  /// if the JSON goes to standard output.
  std::function<void(std::string_view)> printer(Progress& progress) const;
  /// Returns a function that prints notices of a running launch to standard error.
  static std::function<void(std::string_view)> notifier(Progress& progress);

  /// Calls `simulate` and returns its result. If the simulated program faults, ends the trace,
  /// writes the JSON that `make_fault_json` returns, and rethrows the fault.
  template <class Simulate>
  auto simulate_or_report_fault(
      Simulate simulate, Progress& progress, const TimedChip* timed,
      const std::function<nlohmann::ordered_json(const exec::SimulatedFault&)>& make_fault_json)
      const {
    try {
      auto result = simulate();
      progress.clear();
      return result;
    } catch (const exec::SimulatedFault& fault) {
      progress.clear();
      write_fault(timed, [&] { return make_fault_json(fault); });
      throw;
    }
  }

  /// What write() writes. The functions are called by write() only.
  struct Results {
    std::function<nlohmann::ordered_json()> json;  ///< Makes the content of the JSON file.
    Write print_summary;          ///< Called unless the JSON goes to standard output.
    std::vector<Write> others{};  ///< Files that only this verb writes.
  };
  /// Writes all files and prints the summary. A failure does not prevent the other writes; the
  /// first exception is rethrown at the end. `timed` is null for a functional simulation.
  void write(const Results& results, const TimedChip* timed) const;

 private:
  using Json = std::function<nlohmann::ordered_json()>;
  /// Functions that write the files of what was observed: samples and locality. After a fault, the
  /// files contain what happened before it.
  std::vector<Write> observation_writes(const TimedChip* timed) const;
  /// Writes all these files, the JSON and the trace after a fault. Does not throw: a file that
  /// cannot be written is reported, and the caller rethrows the fault.
  void write_fault(const TimedChip* timed, const Json& json) const;
  bool json_goes_to_stdout() const { return json_ && json_->name() == "-"; }

  std::optional<OutputFile> json_;
  std::optional<OutputFile> lifetimes_;
  std::optional<OutputFile> samples_;
  std::optional<OutputFile> power_chart_;
  LocalityOutput locality_;
};

}  // namespace heddle
