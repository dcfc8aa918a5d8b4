#pragma once

// An experiment as its JSON has it: all that a report shows.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/chart.h"
#include "lab/claim.h"
#include "lab/judged_claim.h"
#include "lab/table.h"

namespace heddle::lab::report {

/// Names with what they hold, in their order.
using NamedTexts = std::vector<std::pair<std::string, std::string>>;

struct StudyVariant {
  std::string name{};
  std::string machine{};
  std::vector<std::string> settings{};
  std::vector<std::string> best_of{};
  bool hidden = false;
  NamedTexts parameters{};  ///< In which it differs from others.
};

/// A row or a mean. Values are by column.
struct StudyRow {
  std::string label{};
  std::string size{};  ///< Of a mean: empty, as what follows but `group`.
  std::vector<std::string> settings{};
  std::string group{};
  Values values{};
  std::vector<std::optional<Spread>> spreads{};  ///< Over the seeds, where there are several.
  std::vector<Values> parts{};                   ///< Of each column, by part.
  std::vector<std::string> best{};  ///< Of a column that is the best of others: which; else empty.
};

struct StudyClaim {
  Claim claim{};
  JudgedClaim judged{};
};

struct ClaimCount {
  std::size_t judged = 0;
  std::size_t holding = 0;         ///< Of those that are judged.
  std::size_t other_sizes = 0;     ///< Not judged: the runs have another size than the study's.
  std::size_t other_machines = 0;  ///< Not judged: the machines were changed.

  ClaimCount& operator+=(const ClaimCount& other);
};

/// "3 of 4 claims hold; 2 are about other sizes"; empty where there are none.
std::string claims_text(const ClaimCount& count);

struct Study {
  std::string name{};
  std::string title{};
  std::string paper{};
  std::string figure{};
  std::string command{};
  std::string metric{};
  std::string normalised_to{};  ///< Empty: to nothing.
  std::string seed{};
  std::string seeds{};
  bool own_sizes = true;                ///< Its inputs are those that its claims are about.
  std::vector<std::string> settings{};  ///< That make its machines others than those.
  std::string version{};
  std::string sources{};
  std::string simulated_at{};
  Chart chart{};
  NamedTexts parts{};                    ///< With their metrics, the lowest first.
  std::vector<std::string> columns{};    ///< The variants that are shown.
  std::vector<StudyVariant> variants{};  ///< All.
  NamedTexts parameters{};               ///< That are the same in all runs.
  std::vector<std::string> missing{};    ///< Programs of its suite that have no row.
  std::vector<StudyRow> rows{};
  std::vector<StudyRow> means{};  ///< Of groups, then of all.
  std::vector<StudyClaim> claims{};

  bool relative() const { return !normalised_to.empty(); }
  /// What the axis of values is called.
  std::string value_name() const;
  ClaimCount count_claims() const;
};

/// Throws InputError, with the file's name, for what `heddle experiment` has not written.
Study read_study(std::string_view json, const std::string& file);

}  // namespace heddle::lab::report
