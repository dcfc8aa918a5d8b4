#pragma once

// A study: the results of an experiment as read from its JSON, with everything that a report shows.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/chart.h"
#include "lab/claim.h"
#include "lab/judged_claim.h"
#include "lab/table.h"

namespace heddle::lab::report {

/// Pairs of a name and a value.
using NamedTexts = std::vector<std::pair<std::string, std::string>>;

struct StudyVariant {
  std::string name{};
  std::string machine{};
  std::vector<std::string> settings{};
  std::vector<std::string> best_of{};
  std::string as_in{};
  bool is_hidden = false;
  NamedTexts parameters{};  ///< Parameters in which the variant differs from other variants.
};

/// A row or a mean of the table. The vectors are indexed by column.
struct StudyRow {
  std::string label{};
  std::string size{};  ///< Empty for a mean, like `settings`.
  std::vector<std::string> settings{};
  std::string group{};
  Values values{};
  /// By column: the range over the seeds, if there are several.
  std::vector<std::optional<Spread>> spreads{};
  std::vector<Values> parts{};  ///< By column, then by part.
  /// By column: the name of the best candidate if the variant is a best-of variant, else empty.
  std::vector<std::string> best{};
};

/// A claim with its verdicts.
struct StudyClaim {
  Claim claim{};
  JudgedClaim judged{};
};

/// How many claims were judged, and how many were not.
struct ClaimCount {
  std::size_t judged = 0;          ///< Claims that were judged.
  std::size_t holding = 0;         ///< Claims that were judged and hold.
  std::size_t other_sizes = 0;     ///< Claims not judged because the runs have another size.
  std::size_t other_machines = 0;  ///< Claims not judged because the machines were changed.

  ClaimCount& operator+=(const ClaimCount& other);
};

/// "3 of 4 claims hold; 2 are about other sizes"; empty if there are no claims.
std::string claims_text(const ClaimCount& count);

struct Study {
  std::string name{};
  std::string title{};
  std::string paper{};
  std::string figure{};
  std::string command{};
  std::string metric{};
  std::string normalised_to{};  ///< The variant that values are divided by; empty: none.
  std::string seed{};
  std::string seeds{};
  /// Whether the inputs have the sizes that the claims are about.
  bool has_sizes_of_claims = true;
  /// Settings of --set. The claims are about machines without them.
  std::vector<std::string> settings{};
  std::string version{};
  std::string sources{};
  std::string simulated_at{};
  Chart chart{};
  /// The parts of stacks and their metrics, the lowest first.
  NamedTexts parts{};
  std::vector<std::string> columns{};    ///< The names of the variants that are shown.
  std::vector<StudyVariant> variants{};  ///< All variants.
  NamedTexts parameters{};               ///< Parameters that are the same in all runs.
  std::vector<std::string> missing{};    ///< Programs of the suite that have no row.
  std::vector<StudyRow> rows{};
  std::vector<StudyRow> means{};  ///< Means of the groups, then of all rows.
  std::vector<StudyClaim> claims{};

  bool is_normalised() const { return !normalised_to.empty(); }
  /// The title of the value axis.
  std::string value_name() const;
  ClaimCount count_claims() const;
};

/// Reads the JSON that `heddle experiment` wrote. Throws InputError, with the file's name, for any
/// other text.
Study read_study(std::string_view json, const std::string& file);

}  // namespace heddle::lab::report
