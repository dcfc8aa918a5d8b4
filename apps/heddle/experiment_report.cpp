#include "experiment_report.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "csv.h"
#include "text_table.h"

namespace heddle {
namespace {

using lab::Claim;
using lab::ClaimVerdict;
using lab::Experiment;
using nlohmann::ordered_json;

std::string figure(std::optional<double> value, bool relative) {
  if (!value) return "-";
  if (relative) return fmt::format("{:.3f}", *value);
  return std::abs(*value) >= 1000 ? fmt::format("{:.0f}", *value) : fmt::format("{:.4g}", *value);
}

std::string claimed(Claim::Kind kind, std::optional<double> value) {
  if (!value) return "-";
  switch (kind) {
    case Claim::Kind::gain:
    case Claim::Kind::saving:
      return fmt::format("{:+.1f} %", 100 * *value);
    case Claim::Kind::share:
      return fmt::format("{:.1f} %", 100 * *value);
    default:
      return figure(value, false);
  }
}

/// Variants in a claimed order, or what was measured of them.
std::string in_order(const ClaimVerdict& verdict) {
  std::string text;
  for (const auto& value : verdict.in_order) {
    text += (text.empty() ? "" : ", ") + figure(value, false);
  }
  return text;
}

std::string reported_text(const Claim& claim) {
  return claim.kind == Claim::Kind::order ? fmt::format("{}", fmt::join(claim.order, " < "))
                                          : claimed(claim.kind, claim.value);
}

std::string measured_text(const Claim& claim, const ClaimVerdict& verdict) {
  return claim.kind == Claim::Kind::order ? in_order(verdict)
                                          : claimed(claim.kind, verdict.measured);
}

std::string answer(std::optional<bool> holds) { return !holds ? "-" : *holds ? "holds" : "NO"; }

ordered_json json_of(const auto& value) { return value ? ordered_json(*value) : ordered_json(); }

ordered_json values_to_json(const Experiment& experiment, const lab::TableRow& row) {
  ordered_json values = ordered_json::object();
  for (std::size_t i = 0; i < row.values.size(); ++i) {
    values[experiment.variants[i].name] = json_of(row.values[i]);
  }
  return values;
}

/// Every digit, so that nothing is lost to those who go on from it.
std::string exact(std::optional<double> value) { return value ? fmt::format("{}", *value) : ""; }

std::string yes_or_no(std::optional<bool> holds) { return !holds ? "" : *holds ? "yes" : "no"; }

std::string measured_as(const Experiment& experiment) {
  return experiment.normalise_to.empty()
             ? experiment.metric.text()
             : fmt::format("{}, relative to {}", experiment.metric.text(), experiment.normalise_to);
}

ordered_json claim_to_json(const Claim& claim, const ClaimVerdict& verdict) {
  ordered_json json{{"id", claim.id}, {"text", claim.text}, {"kind", lab::name_of(claim.kind)}};
  if (claim.kind == Claim::Kind::order) {
    json["reported"] = claim.order;
    json["measured"] = ordered_json::array();
    for (const auto& value : verdict.in_order) json["measured"].push_back(json_of(value));
  } else {
    json["reported"] = claim.value;
    json["measured"] = json_of(verdict.measured);
  }
  json["sign"] = json_of(verdict.sign);
  json["order"] = json_of(verdict.order);
  json["magnitude"] = json_of(verdict.magnitude);
  json["holds"] = verdict.holds();
  return json;
}

lab::Measures measures_of(const lab::RunRequest& run, const std::string& result,
                          const lab::Store& store) {
  try {
    return lab::Measures::of_result(result);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: run {}: {}", store.file(), run.key, error.what()));
  }
}

}  // namespace

ExperimentReport make_report(const Experiment& experiment, const lab::Plan& plan,
                             const lab::Store& store) {
  std::vector<std::optional<lab::Measures>> cells;
  for (const lab::RunRequest& run : plan.cells) {
    const std::optional<std::string> result = store.result_of(run.key);
    cells.push_back(result ? std::optional(measures_of(run, *result, store)) : std::nullopt);
  }
  const lab::Measured measured(experiment, std::move(cells));
  ExperimentReport report{
      .experiment = &experiment, .plan = &plan, .table = lab::make_table(measured)};
  for (const Claim& claim : experiment.claims) {
    report.verdicts.push_back(lab::judge(claim, measured));
  }
  return report;
}

void print_report(const ExperimentReport& report) {
  const Experiment& experiment = *report.experiment;
  fmt::print("{}\n", experiment.title);
  if (!experiment.paper.empty()) {
    fmt::print("{}{}{}\n", experiment.paper, experiment.figure.empty() ? "" : ", ",
               experiment.figure);
  }
  fmt::print("{}\n\n", measured_as(experiment));
  std::vector<std::vector<std::string>> rows{{"WORKLOAD"}};
  for (const lab::Variant& variant : experiment.variants) rows.front().push_back(variant.name);
  const auto add = [&](const lab::TableRow& row) {
    rows.push_back({row.name});
    for (const auto& value : row.values) {
      rows.back().push_back(figure(value, !experiment.normalise_to.empty()));
    }
  };
  for (const lab::TableRow& row : report.table.rows) add(row);
  for (const lab::TableRow& mean : report.table.means) add(mean);
  print_table(rows);
  if (experiment.claims.empty()) return;
  std::vector<std::vector<std::string>> claims{
      {"CLAIM", "REPORTED", "MEASURED", "SIGN", "ORDER", "MAGNITUDE", "WHAT IT SAYS"}};
  for (std::size_t i = 0; i < experiment.claims.size(); ++i) {
    const Claim& claim = experiment.claims[i];
    const ClaimVerdict& verdict = report.verdicts[i];
    claims.push_back({claim.id, reported_text(claim), measured_text(claim, verdict),
                      answer(verdict.sign), answer(verdict.order), answer(verdict.magnitude),
                      claim.text});
  }
  fmt::print("\n");
  print_table(claims);
}

ordered_json report_to_json(const ExperimentReport& report) {
  const Experiment& experiment = *report.experiment;
  ordered_json json{{"schema", "heddle-experiment-1"}, {"experiment", experiment.name},
                    {"title", experiment.title},       {"paper", experiment.paper},
                    {"figure", experiment.figure},     {"metric", experiment.metric.text()}};
  json["normalised_to"] =
      experiment.normalise_to.empty() ? ordered_json() : ordered_json(experiment.normalise_to);
  json["variants"] = ordered_json::array();
  for (const lab::Variant& variant : experiment.variants) {
    json["variants"].push_back(
        {{"name", variant.name}, {"machine", variant.machine}, {"set", variant.settings}});
  }
  json["rows"] = ordered_json::array();
  for (std::size_t i = 0; i < report.table.rows.size(); ++i) {
    const lab::Row& row = experiment.rows[i];
    ordered_json described{{"label", row.label}, {"workload", row.workload->name}};
    described["size"] = workload::name_of(report.plan->cells[i * experiment.variants.size()].size);
    described["group"] = row.group;
    described["values"] = values_to_json(experiment, report.table.rows[i]);
    json["rows"].push_back(std::move(described));
  }
  json["means"] = ordered_json::array();
  for (const lab::TableRow& mean : report.table.means) {
    json["means"].push_back({{"name", mean.name}, {"values", values_to_json(experiment, mean)}});
  }
  json["claims"] = ordered_json::array();
  for (std::size_t i = 0; i < experiment.claims.size(); ++i) {
    json["claims"].push_back(claim_to_json(experiment.claims[i], report.verdicts[i]));
  }
  return json;
}

std::string table_to_csv(const ExperimentReport& report) {
  std::vector<std::string> heading{"workload"};
  for (const lab::Variant& variant : report.experiment->variants) heading.push_back(variant.name);
  std::string text = csv_line(heading);
  const auto add = [&](const lab::TableRow& row) {
    std::vector<std::string> cells{row.name};
    for (const auto& value : row.values) cells.push_back(exact(value));
    text += csv_line(cells);
  };
  for (const lab::TableRow& row : report.table.rows) add(row);
  for (const lab::TableRow& mean : report.table.means) add(mean);
  return text;
}

std::string claims_to_csv(const ExperimentReport& report) {
  std::string text = csv_line(
      {"id", "kind", "reported", "measured", "sign", "order", "magnitude", "holds", "text"});
  for (std::size_t i = 0; i < report.verdicts.size(); ++i) {
    const Claim& claim = report.experiment->claims[i];
    const ClaimVerdict& verdict = report.verdicts[i];
    const bool order = claim.kind == Claim::Kind::order;
    text += csv_line({claim.id, std::string(lab::name_of(claim.kind)),
                      order ? reported_text(claim) : exact(claim.value),
                      order ? in_order(verdict) : exact(verdict.measured), yes_or_no(verdict.sign),
                      yes_or_no(verdict.order), yes_or_no(verdict.magnitude),
                      yes_or_no(verdict.holds()), claim.text});
  }
  return text;
}

}  // namespace heddle
