#pragma once

// Compares measurements with a claim of a paper.

#include <optional>
#include <string>
#include <vector>

#include "lab/claim.h"
#include "lab/table.h"

namespace heddle::lab {

/// A row that a paper assigns to a class, and the class of its measured value.
struct ClassedRow {
  std::string row;              ///< The row's label.
  std::string expected;         ///< The class that the paper reports.
  std::optional<double> value;  ///< The metric's value; empty if it was not measured.
  std::string measured;         ///< The class of `value`; empty if the value was not measured.

  bool agrees() const { return expected == measured; }
};

/// How the measurements compare with a claim. A part of the verdict is empty if the kind of claim
/// does not have that part, or if a value was not measured.
struct ClaimVerdict {
  /// The measured value. For a gain, a saving or a share: a fraction. For a plain value: the
  /// metric's value.
  std::optional<double> measured{};
  std::vector<std::optional<double>> ordered_values{};  ///< For an order: its variants' values.
  /// For a gain or a saving with a single reported number: whether the sign is as reported.
  std::optional<bool> sign_holds{};
  /// For an order: whether each value is above the previous one.
  std::optional<bool> order_holds{};
  std::vector<ClassedRow> classed_rows{};  ///< For classes: the rows that the claim names.
  /// For classes: whether all rows are in their expected class.
  std::optional<bool> classes_hold{};
  /// For all kinds with a single value: whether it is within the claim's tolerance, or within the
  /// default tolerance if the claim has none.
  std::optional<bool> magnitude_holds{};
  /// Whether the magnitude holds by the default tolerance from half to twice the reported number,
  /// and the measured value differs from this number by more than a quarter.
  bool is_rough = false;
  /// How far the measured value is from the reported one. It does not depend on tolerances:
  /// - for a gain, a saving and a share: measured minus reported value, 0 inside a reported range;
  /// - for a plain value: the relative error, 0 inside a reported range;
  /// - for an order: the smallest step between successive values, as a fraction of the step's first
  ///   value; negative if a step goes down;
  /// - for classes: the fraction of rows in a wrong class.
  std::optional<double> distance{};

  /// Whether at least one part could be judged and every judged part holds.
  bool holds() const;
  /// Whether at least one part could be judged.
  bool is_judged() const { return sign_holds || order_holds || classes_hold || magnitude_holds; }
};

/// Judges the claim by the mean over the seeds.
ClaimVerdict judge(const Claim& claim, MeasurementsBySeed seeds);

}  // namespace heddle::lab
