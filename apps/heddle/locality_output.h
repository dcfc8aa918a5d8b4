#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/output_file.h"
#include "locality/recorder.h"
#include "locality_options.h"
#include "locality_report.h"
#include "machine_options.h"

namespace heddle {

/// A measurement of locality, if one was requested by options or by the machine, and the files of
/// the options.
class LocalityOutput {
 public:
  /// Throws InputError for wrong options, and if a file cannot be written.
  LocalityOutput(const LocalityOptions& options, bool is_timed);

  /// Starts to measure. Returns the observers for device::DeviceOptions; null if no measurement was
  /// requested. `timed` is null for a functional simulation. Throws InputError if both options and
  /// the machine request a measurement.
  exec::AccessObservers* start(const TimedChip* timed);
  /// The measurement; null if start() has not made one.
  const locality::Recorder* recorder() const { return recorder_; }
  /// Functions that write the files.
  std::vector<std::function<void()>> writes(const KernelName& name_of_kernel) const;

 private:
  std::optional<locality::Options> options_;
  std::optional<locality::Recorder> own_recorder_;
  locality::Recorder* recorder_ = nullptr;
  std::optional<OutputFile> file_;
  bool is_csv_;
  std::optional<OutputFile> chart_;
};

}  // namespace heddle
