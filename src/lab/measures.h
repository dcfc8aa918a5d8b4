#pragma once

// What a run came to, by the names that metrics use.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/shared_chip.h"

namespace heddle::lab {

/// Figures of a whole run: all its launches taken together.
class Measures {
 public:
  Measures() = default;
  explicit Measures(std::map<std::string, double, std::less<>> values, SharedChip shared = {})
      : values_(std::move(values)), shared_(std::move(shared)) {}
  /// Of a result as `heddle run --json` writes it. Throws InputError where it is none.
  static Measures of_result(std::string_view json);

  std::optional<double> find(std::string_view name) const;
  const std::map<std::string, double, std::less<>>& all() const { return values_; }
  /// Beside what programs side by side have among all().
  const SharedChip& shared() const { return shared_; }

 private:
  std::map<std::string, double, std::less<>> values_;
  SharedChip shared_{};
};

/// What runs of so many programs side by side have, too: "weighted_speedup", "program.1.ipc".
std::vector<std::string> measures_of_programs(std::size_t programs);
/// What one of them is called that is of a program: "program.1.ipc", of the first.
std::string measure_of_program(std::size_t program, std::string_view name);
/// Whether it is one of those of a program, whose names have a dot as counters' have.
bool is_of_program(std::string_view measure);

/// What every run has, beside the counters of its machine.
const std::vector<std::string>& measures_of_every_run();

}  // namespace heddle::lab
