#pragma once

// The measures of a run: its measured values, by the names that metrics use.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/shared_chip.h"

namespace heddle::lab {

/// The values of a whole run, that is, of all its launches together.
class Measures {
 public:
  Measures() = default;
  explicit Measures(std::map<std::string, double, std::less<>> values, SharedChip shared = {})
      : values_(std::move(values)), shared_(std::move(shared)) {}
  /// Reads a result that `heddle run --json` wrote. Throws InputError for any other text.
  static Measures from_result(std::string_view json);

  /// Empty if the run has no such measure.
  std::optional<double> find(std::string_view name) const;
  const std::map<std::string, double, std::less<>>& all() const { return values_; }
  /// How programs that ran side by side shared the chip. Their measures are in all().
  const SharedChip& shared() const { return shared_; }

 private:
  std::map<std::string, double, std::less<>> values_;
  SharedChip shared_{};
};

/// The names of the measures that a run has in addition if this many programs run side by side:
/// "weighted_speedup", "program.1.ipc", ...
std::vector<std::string> measures_of_programs(std::size_t programs);
/// The name of one program's measure. Programs count from 0 here and from 1 in names: program 0 has
/// "program.1.ipc".
std::string measure_of_program(std::size_t program, std::string_view name);
/// Whether a measure belongs to one program. Such names contain a dot, as counters' names do.
bool is_program_measure(std::string_view measure);

/// The names of the measures of locality: "locality.accesses", and for each neighbourhood of 2^n
/// bytes and window of 2^m accesses "locality.nN.mM". A run has them if its machine has
/// locality.observe.
std::vector<std::string> locality_measures();

/// The names of the measures that every run has in addition to its machine's counters.
const std::vector<std::string>& measures_of_every_run();

}  // namespace heddle::lab
