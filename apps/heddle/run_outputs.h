#pragma once

// Where the results of a run go, and what becomes of a fault: the same for every verb that runs
// kernels.

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/output_file.h"
#include "exec/fault/fault.h"
#include "machine_options.h"
#include "progress.h"

namespace heddle {

using Write = std::function<void()>;

/// Does all, whatever of it fails; then throws what failed first.
void write_all(const std::vector<Write>& writes);

/// A file that an option names. Throws InputError where it cannot be written, and for standard
/// output, which the option cannot have.
OutputFile output_of(const char* option, const std::string& name);

/// The files that a run's options ask for.
class RunOutputs {
 public:
  /// `json`: a file, "-", or empty. Tries all of them, so that nothing is simulated in vain. Throws
  /// InputError.
  RunOutputs(const std::string& json, const MachineOptions& machine);

  /// For what kernels print: standard output, unless it is the JSON's alone.
  std::function<void(std::string_view)> printer(Progress& progress) const;
  /// For what is to be known of a launch while it runs: standard error.
  static std::function<void(std::string_view)> notifier(Progress& progress);

  /// What `simulate` returns. Where the simulated program faults, the trace ends there, the JSON is
  /// what `of_fault` makes of it, and the fault is passed on.
  template <class Simulate>
  auto simulate(
      Simulate simulate, Progress& progress, const TimedChip* timed,
      const std::function<nlohmann::ordered_json(const exec::SimulatedFault&)>& of_fault) const {
    try {
      auto result = simulate();
      progress.clear();
      return result;
    } catch (const exec::SimulatedFault& fault) {
      progress.clear();
      write_fault(timed, [&] { return of_fault(fault); });
      throw;
    }
  }

  struct Results {
    std::function<nlohmann::ordered_json()> json;
    Write print_summary;          ///< Where standard output is not the JSON's.
    std::vector<Write> others{};  ///< Files of the verb's own.
  };
  /// Writes and prints all. One that cannot be written keeps none of the others; the first failure
  /// is thrown in the end.
  void write(const Results& results, const TimedChip* timed) const;

 private:
  using Json = std::function<nlohmann::ordered_json()>;
  /// What is made of samples. They are written after a fault, too: what was noted until then.
  std::vector<Write> of_samples(const TimedChip* timed) const;
  /// The fault is what the user must hear of, so what cannot be written is said and no more.
  void write_fault(const TimedChip* timed, const Json& json) const;
  bool json_is_alone() const { return json_ && json_->name() == "-"; }

  std::optional<OutputFile> json_;
  std::optional<OutputFile> lifetimes_;
  std::optional<OutputFile> samples_;
  std::optional<OutputFile> power_chart_;
};

}  // namespace heddle
