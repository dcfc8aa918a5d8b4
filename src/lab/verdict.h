#pragma once

// Whether what was measured is what a claim says.

#include <optional>
#include <string>
#include <vector>

#include "lab/claim.h"
#include "lab/table.h"

namespace heddle::lab {

/// A row that a paper puts into a class.
struct ClassedRow {
  std::string row;
  std::string expected;
  std::optional<double> value;  ///< Empty where nothing was measured; then `measured` is, too.
  std::string measured;

  bool agrees() const { return expected == measured; }
};

/// Each part is empty where the claim has no such part, or nothing was measured.
struct ClaimVerdict {
  std::optional<double> measured{};               ///< As the claim's kind has it: a gain of 0.05.
  std::vector<std::optional<double>> in_order{};  ///< Of an order: its variants' values.
  std::optional<bool> sign{};                     ///< Of a gain or a saving: on its side of 0.
  std::optional<bool> order{};                    ///< Each is above the one before it.
  std::vector<ClassedRow> classed{};              ///< Of classes: the rows that it names.
  std::optional<bool> classes{};    ///< All of them are of the class that is expected.
  std::optional<bool> magnitude{};  ///< As near as the claim asks for, or as is usual of its kind.
  /// How far what was measured is from what was reported, as one number that no threshold hides. Of
  /// a gain, a saving and a share the difference; of a figure the share of it that there is too
  /// much; of an order the least step upwards, as a share of the lower value: below 0 where it does
  /// not hold; of classes the share of rows that are of another.
  std::optional<double> distance{};

  /// All that could be judged, and something could.
  bool holds() const;
  /// Whether anything could be.
  bool judged() const { return sign || order || classes || magnitude; }
};

/// On the mean over the seeds.
ClaimVerdict judge(const Claim& claim, Seeds seeds);

}  // namespace heddle::lab
