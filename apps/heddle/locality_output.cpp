#include "locality_output.h"

#include "base/error.h"
#include "json_output.h"
#include "run_outputs.h"

namespace heddle {

LocalityOutput::LocalityOutput(const LocalityOptions& options, bool is_timed)
    : options_(parse_locality(options, is_timed)), is_csv_(options.file.ends_with(".csv")) {
  if (!options.file.empty()) file_ = output_of("--locality", options.file);
  if (!options.chart.empty()) chart_ = output_of("--locality-chart", options.chart);
}

exec::AccessObservers* LocalityOutput::start(const TimedChip* timed) {
  recorder_ = timed != nullptr ? timed->locality.get() : nullptr;
  if (!options_) return recorder_;
  if (recorder_ != nullptr) {
    throw InputError("--locality: not with locality.observe=yes, which also measures it");
  }
  if (timed != nullptr) options_->coalescer = timed->chip.machine().sm.memory.coalescer.shape;
  recorder_ = &own_recorder_.emplace(*options_);
  return recorder_;
}

std::vector<std::function<void()>> LocalityOutput::writes(const KernelName& name_of_kernel) const {
  std::vector<std::function<void()>> writes;
  if (recorder_ == nullptr) return writes;
  if (file_) {
    writes.emplace_back([this, name_of_kernel] {
      if (is_csv_) return file_->write(locality_csv(*recorder_, name_of_kernel));
      write_json(locality_to_json(*recorder_, name_of_kernel), *file_);
    });
  }
  if (chart_) writes.emplace_back([this] { chart_->write(locality_picture(*recorder_)); });
  return writes;
}

}  // namespace heddle
