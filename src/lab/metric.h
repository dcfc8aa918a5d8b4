#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/formula.h"
#include "lab/measures.h"

namespace heddle::lab {

/// A figure that is made of what was measured.
class Metric {
 public:
  /// Throws InputError for what is no formula.
  explicit Metric(std::string text) : formula_(std::move(text), "metric") {}

  const std::string& text() const { return formula_.text(); }
  /// What it is made of.
  const std::vector<std::string>& names() const { return formula_.names(); }
  /// Empty where something was not measured, or would be divided by zero.
  std::optional<double> of(const Measures& measures) const {
    return formula_.of([&](const std::string& name) { return measures.find(name); });
  }

 private:
  Formula formula_;
};

}  // namespace heddle::lab
