#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/formula.h"
#include "lab/measures.h"

namespace heddle::lab {

/// A formula over the measures of a run: "ipc", "dram.reads / cycles".
class Metric {
 public:
  /// Throws InputError if `text` is not a formula.
  explicit Metric(std::string text) : formula_(std::move(text), "metric") {}

  const std::string& text() const { return formula_.text(); }
  /// The measures that the formula uses.
  const std::vector<std::string>& names() const { return formula_.names(); }
  /// The formula's value. Empty if a measure is missing or a divisor is zero.
  std::optional<double> evaluate(const Measures& measures) const {
    return formula_.evaluate([&](const std::string& name) { return measures.find(name); });
  }

 private:
  Formula formula_;
};

}  // namespace heddle::lab
