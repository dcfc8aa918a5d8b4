#include "experiment_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "csv.h"
#include "lab/claim_text.h"
#include "print.h"
#include "text_table.h"

namespace heddle {
namespace {

using lab::Claim;
using lab::ClaimVerdict;
using lab::Experiment;
using Cells = std::vector<std::string>;
using Rows = std::vector<Cells>;
/// A function that formats a value for a table.
using Write = std::string (*)(std::optional<double> value);

std::string verdict_text(std::optional<bool> holds) {
  return !holds ? "-" : *holds ? "holds" : "NO";
}

std::string short_figure(std::optional<double> value) { return lab::figure_text(value, false); }
/// The value with all digits, because CSV files are the input of further processing.
std::string exact(std::optional<double> value) { return value ? fmt::format("{}", *value) : ""; }

std::string with_spread(const std::string& text, const std::string& spread) {
  return spread.empty() ? text : fmt::format("{} ({})", text, spread);
}

std::string yes_or_no(std::optional<bool> holds) { return !holds ? "" : *holds ? "yes" : "no"; }

/// What the table's values are: a metric, and the variant to which it is relative.
std::string metric_text(const Experiment& experiment) {
  return experiment.normalise_to.empty()
             ? experiment.metric.text()
             : fmt::format("{}, relative to {}", experiment.metric.text(), experiment.normalise_to);
}

/// The table: a heading, the rows and the means. Each shown variant has one column for each suffix
/// in `columns`. `cells(row, variant)` returns the cells of these columns.
Rows value_rows(const ExperimentReport& report, const std::string& heading, const Cells& columns,
                const auto& cells) {
  const std::vector<lab::Variant>& variants = report.experiment->variants;
  Rows rows{{heading}};
  for (const lab::Variant& variant : variants) {
    if (variant.is_hidden) continue;
    for (const std::string& column : columns) rows.front().push_back(variant.name + column);
  }
  const auto add = [&](const lab::TableRow& row) {
    rows.push_back({row.name});
    for (std::size_t i = 0; i < variants.size(); ++i) {
      if (variants[i].is_hidden) continue;
      for (std::string& cell : cells(row, i)) rows.back().push_back(std::move(cell));
    }
  };
  for (const lab::TableRow& row : report.table.rows) add(row);
  for (const lab::TableRow& mean : report.table.means) add(mean);
  return rows;
}

/// The table for the terminal. With several seeds, a cell also has the spread: "1.050
/// (1.040 to 1.060)".
Rows shown_rows(const ExperimentReport& report) {
  const bool relative = !report.experiment->normalise_to.empty();
  return value_rows(report, "WORKLOAD", {""}, [&](const lab::TableRow& row, std::size_t variant) {
    return Cells{with_spread(lab::figure_text(row.values[variant], relative),
                             lab::spread_text(row.spreads[variant], relative))};
  });
}

/// The table for CSV. With several seeds, the least and the greatest value have columns
/// of their own.
Rows exact_rows(const ExperimentReport& report) {
  const bool has_several_seeds = report.has_several_seeds();
  return value_rows(report, "workload",
                    has_several_seeds ? Cells{"", " least", " most"} : Cells{""},
                    [&](const lab::TableRow& row, std::size_t variant) {
                      Cells cells{exact(row.values[variant])};
                      if (!has_several_seeds) return cells;
                      const std::optional<lab::Spread>& spread = row.spreads[variant];
                      cells.push_back(spread ? exact(spread->least) : "");
                      cells.push_back(spread ? exact(spread->most) : "");
                      return cells;
                    });
}

/// The table of a stacked chart: a row for each stack, with a column for each part.
Rows part_rows(const ExperimentReport& report, std::vector<std::string> heading, Write write) {
  const Experiment& experiment = *report.experiment;
  for (const lab::Part& part : experiment.parts) heading.push_back(part.name);
  Rows rows{std::move(heading)};
  const auto add = [&](const std::string& name, const lab::TableRow& row) {
    for (std::size_t i = 0; i < experiment.variants.size(); ++i) {
      if (experiment.variants[i].is_hidden) continue;
      rows.push_back({name, experiment.variants[i].name});
      for (const auto& value : row.parts[i]) rows.back().push_back(write(value));
    }
  };
  for (const lab::TableRow& row : report.table.rows) add(row.name, row);
  for (const lab::TableRow& mean : report.table.means) {
    // The mean of parts is always arithmetic, so that the parts of a mean add up.
    add(fmt::format("arithmetic mean{}{}", mean.group.empty() ? "" : ", ", mean.group), mean);
  }
  return rows;
}

std::string to_csv(const Rows& rows) {
  std::string text;
  for (const auto& row : rows) text += csv_line(row);
  return text;
}

std::string exact_list(const std::vector<std::optional<double>>& values) {
  std::string text;
  for (const auto& value : values) text += (text.empty() ? "" : ", ") + exact(value);
  return text;
}

/// The class of each row: "bfs high, scan low".
std::string class_list(const ClaimVerdict& verdict, std::string lab::ClassedRow::*which) {
  std::string text;
  for (const lab::ClassedRow& row : verdict.classed_rows) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", row.row,
                        (row.*which).empty() ? "-" : row.*which);
  }
  return text;
}

std::string reported_in_csv(const Claim& claim, const ClaimVerdict& verdict) {
  if (std::holds_alternative<lab::Classes>(claim.kind)) {
    return class_list(verdict, &lab::ClassedRow::expected);
  }
  const lab::ReportedValue* const reported = lab::reported_value(claim.kind);
  return reported != nullptr && reported->is_single() ? exact(reported->least)
                                                      : lab::reported_text(claim);
}

std::string measured_in_csv(const Claim& claim, const ClaimVerdict& verdict) {
  if (std::holds_alternative<lab::Order>(claim.kind)) return exact_list(verdict.ordered_values);
  if (std::holds_alternative<lab::Classes>(claim.kind)) {
    return class_list(verdict, &lab::ClassedRow::measured);
  }
  return exact(verdict.measured);
}

/// Prints the notes below the table: rows whose class differs from the paper's, seeds with
/// different verdicts, and readings (interpretations of the claim) with another verdict than the
/// claim.
void print_notes(const Claim& claim, const lab::JudgedClaim& judged) {
  for (const lab::ClassedRow& row : judged.verdict.classed_rows) {
    if (!row.agrees()) print("{}: {}\n", claim.id, lab::disagreement_text(row));
  }
  // Readings with the claim's verdict are only in the files and on the HTML page.
  for (const std::string& note :
       lab::notes_of(claim, judged, lab::Readings::with_another_verdict)) {
    print("{}: {}\n", claim.id, note);
  }
}

void print_claims(const ExperimentReport& report) {
  const std::vector<Claim>& claims = report.experiment->claims;
  Rows rows{{"CLAIM", "REPORTED", "MEASURED", "DISTANCE", "SIGN", "ORDER", "CLASSES", "MAGNITUDE",
             "STATEMENT"}};
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const lab::JudgedClaim& judged = report.claims[i];
    const ClaimVerdict& verdict = judged.verdict;
    // An order and classes have no single measured number.
    const bool is_one_number = lab::reported_value(claims[i].kind) != nullptr;
    const std::string spread = lab::spread_text(claims[i], judged);
    rows.push_back(
        {claims[i].id, lab::reported_text(claims[i]),
         with_spread(lab::measured_text(claims[i], verdict), is_one_number ? spread : ""),
         with_spread(lab::distance_text(claims[i], verdict), is_one_number ? "" : spread),
         verdict_text(verdict.sign_holds), verdict_text(verdict.order_holds),
         verdict_text(verdict.classes_hold), verdict_text(verdict.magnitude_holds),
         claims[i].text});
  }
  print("\n");
  print_table(rows);
  for (std::size_t i = 0; i < claims.size(); ++i) print_notes(claims[i], report.claims[i]);
  if (!report.has_sizes_of_claims()) {
    print("The claims are about inputs of the study's size; these inputs have another size.\n");
  }
  if (!report.plan->overrides.settings.empty()) {
    const std::string changes = fmt::format("{}", fmt::join(report.plan->overrides.settings, " "));
    print("The machine is changed ({}): the claims are about the unchanged one.\n", changes);
  }
}

}  // namespace

bool ExperimentReport::has_sizes_of_claims() const {
  const std::vector<lab::Row>& rows = experiment->rows;
  const std::optional<workload::Size>& size = plan->overrides.size;
  return !size || std::all_of(rows.begin(), rows.end(),
                              [&](const lab::Row& row) { return row.size == *size; });
}

ExperimentReport make_report(const Experiment& experiment, const lab::Plan& plan,
                             lab::StoredCells cells) {
  const std::vector<lab::Measurements> seeds =
      lab::split_by_seed(experiment, std::move(cells.cells));
  ExperimentReport report{.experiment = &experiment,
                          .plan = &plan,
                          .table = lab::make_table(seeds),
                          .last_stored_at = cells.last_stored_at};
  for (const Claim& claim : experiment.claims) {
    report.claims.push_back(lab::judge_claim(claim, seeds));
  }
  return report;
}

void print_report(const ExperimentReport& report) {
  const Experiment& experiment = *report.experiment;
  print("{}\n", experiment.title);
  if (!experiment.paper.empty()) {
    print("{}{}{}\n", experiment.paper, experiment.figure.empty() ? "" : ", ", experiment.figure);
  }
  print("{}\n\n", metric_text(experiment));
  print_table(shown_rows(report));
  if (!experiment.parts.empty()) {
    print("\n");
    print_table(part_rows(report, {"WORKLOAD", "VARIANT"}, short_figure));
  }
  if (!experiment.claims.empty()) print_claims(report);
}

std::string table_to_csv(const ExperimentReport& report) { return to_csv(exact_rows(report)); }

std::string parts_to_csv(const ExperimentReport& report) {
  return to_csv(part_rows(report, {"workload", "variant"}, exact));
}

std::string claims_to_csv(const ExperimentReport& report) {
  const bool has_several_seeds = report.has_several_seeds();
  const std::vector<Claim>& claims = report.experiment->claims;
  const bool has_notes =
      has_several_seeds || std::any_of(claims.begin(), claims.end(),
                                       [](const Claim& claim) { return !claim.readings.empty(); });
  Rows rows{{"id", "kind", "reported", "measured", "distance", "sign", "order", "classes",
             "magnitude", "holds", "text"}};
  if (has_several_seeds)
    rows.front().insert(rows.front().end(), {"least", "most", "holding seeds"});
  if (has_notes) rows.front().emplace_back("notes");
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const Claim& claim = claims[i];
    const lab::JudgedClaim& judged = report.claims[i];
    const ClaimVerdict& verdict = judged.verdict;
    rows.push_back({claim.id, std::string(lab::name_of(claim.kind)),
                    reported_in_csv(claim, verdict), measured_in_csv(claim, verdict),
                    exact(verdict.distance), yes_or_no(verdict.sign_holds),
                    yes_or_no(verdict.order_holds), yes_or_no(verdict.classes_hold),
                    yes_or_no(verdict.magnitude_holds), yes_or_no(judged.holds()), claim.text});
    if (has_several_seeds) {
      const std::optional<lab::Spread> spread = judged.spread();
      rows.back().push_back(spread ? exact(spread->least) : "");
      rows.back().push_back(spread ? exact(spread->most) : "");
      rows.back().push_back(fmt::format("{}", judged.holding_seeds()));
    }
    if (has_notes) {
      rows.back().push_back(fmt::format("{}", fmt::join(lab::notes_of(claim, judged), "; ")));
    }
  }
  return to_csv(rows);
}

}  // namespace heddle
