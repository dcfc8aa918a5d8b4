#include "experiment_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "lab/run_key.h"
#include "machine_figures.h"
#include "time_text.h"
#include "timing_json.h"

namespace heddle {
namespace {

using lab::Claim;
using lab::ClaimVerdict;
using lab::Experiment;
using nlohmann::ordered_json;

/// The value of an optional; null if it is empty.
ordered_json json_of(const auto& value) { return value ? ordered_json(*value) : ordered_json(); }

/// Null if the name is empty.
ordered_json name_or_null(const std::string& name) {
  return name.empty() ? ordered_json() : ordered_json(name);
}

/// An object with the name of each variant and `to_json` of its value.
ordered_json by_variant(const Experiment& experiment, const auto& values, const auto& to_json) {
  ordered_json json = ordered_json::object();
  for (std::size_t i = 0; i < values.size(); ++i) {
    json[experiment.variants[i].name] = to_json(values[i]);
  }
  return json;
}

void add_spreads(ordered_json& json, const Experiment& experiment, const lab::TableRow& row) {
  const auto end_of = [](double lab::Spread::*end) {
    return [end](const std::optional<lab::Spread>& spread) {
      return spread ? ordered_json((*spread).*end) : ordered_json();
    };
  };
  json["least"] = by_variant(experiment, row.spreads, end_of(&lab::Spread::least));
  json["most"] = by_variant(experiment, row.spreads, end_of(&lab::Spread::most));
}

void add_values(ordered_json& json, const ExperimentReport& report, const lab::TableRow& row) {
  const Experiment& experiment = *report.experiment;
  json["values"] = by_variant(experiment, row.values,
                              [](const std::optional<double>& value) { return json_of(value); });
  if (report.has_several_seeds()) add_spreads(json, experiment, row);
  if (experiment.parts.empty()) return;
  json["parts"] = by_variant(experiment, row.parts, [&](const lab::Values& values) {
    ordered_json parts = ordered_json::object();
    for (std::size_t part = 0; part < experiment.parts.size(); ++part) {
      parts[experiment.parts[part].name] = json_of(values[part]);
    }
    return parts;
  });
}

ordered_json reported_json(const Claim& claim) {
  if (const auto* const order = std::get_if<lab::Order>(&claim.kind)) return order->variants;
  if (const auto* const classes = std::get_if<lab::Classes>(&claim.kind)) {
    ordered_json json = ordered_json::object();
    for (const lab::ExpectedClass& expected : classes->expected) json[expected.row] = expected.name;
    return json;
  }
  const lab::ReportedValue& reported = *lab::reported_value(claim.kind);
  if (reported.is_single()) return reported.least;
  const auto end = [](double value) {
    return std::isinf(value) ? ordered_json() : ordered_json(value);
  };
  return {{"at_least", end(reported.least)}, {"at_most", end(reported.most)}};
}

ordered_json measured_json(const Claim& claim, const ClaimVerdict& verdict) {
  if (std::holds_alternative<lab::Order>(claim.kind)) {
    ordered_json json = ordered_json::array();
    for (const auto& value : verdict.ordered_values) json.push_back(json_of(value));
    return json;
  }
  if (std::holds_alternative<lab::Classes>(claim.kind)) {
    ordered_json json = ordered_json::object();
    for (const lab::ClassedRow& row : verdict.classed_rows) {
      json[row.row] = {{"class", name_or_null(row.measured)}, {"value", json_of(row.value)}};
    }
    return json;
  }
  return json_of(verdict.measured);
}

void add_verdict(ordered_json& json, const Claim& claim, const ClaimVerdict& verdict) {
  json["measured"] = measured_json(claim, verdict);
  json["distance"] = json_of(verdict.distance);
  json["sign"] = json_of(verdict.sign_holds);
  json["order"] = json_of(verdict.order_holds);
  json["classes"] = json_of(verdict.classes_hold);
  json["magnitude"] = json_of(verdict.magnitude_holds);
  json["rough"] = verdict.is_rough;
}

ordered_json seeds_json(const Claim& claim, const lab::JudgedClaim& judged,
                        std::uint64_t first_seed) {
  ordered_json json = ordered_json::array();
  for (std::size_t i = 0; i < judged.by_seed.size(); ++i) {
    ordered_json seed{{"seed", first_seed + i}};
    add_verdict(seed, claim, judged.by_seed[i]);
    seed["holds"] = judged.by_seed[i].holds();
    json.push_back(std::move(seed));
  }
  return json;
}

/// The variant that values are divided by, or a list of them, one for each variant of an order.
ordered_json relative_to_json(const Claim& claim) {
  const auto* const order = std::get_if<lab::Order>(&claim.kind);
  if (order != nullptr && !order->relative_to.empty()) return order->relative_to;
  return name_or_null(claim.relative_to);
}

/// Adds the content and the verdict of a claim, or of a reading (an interpretation) of it.
void add_claim(ordered_json& json, const Claim& claim, const lab::JudgedClaim& judged,
               std::uint64_t first_seed) {
  json["text"] = claim.text;
  json["kind"] = lab::name_of(claim.kind);
  const lab::ClaimedRows rows = lab::rows_of(claim.kind);
  json["variant"] = name_or_null(lab::variant_of(claim.kind));
  json["relative_to"] = relative_to_json(claim);
  json["workload"] = name_or_null(rows.workload);
  json["group"] = name_or_null(rows.group);
  json["metric"] = claim.metric ? ordered_json(claim.metric->text()) : ordered_json();
  if (const auto* const classes = std::get_if<lab::Classes>(&claim.kind)) {
    json["bounds"] = classes->bounds;
    json["names"] = classes->names;
  } else if (const auto* const reported = lab::reported_value(claim.kind)) {
    json["within"] = json_of(reported->tolerance);
  }
  json["reported"] = reported_json(claim);
  add_verdict(json, claim, judged.verdict);
  json["holds"] = judged.holds();
  if (!judged.by_seed.empty()) json["seeds"] = seeds_json(claim, judged, first_seed);
}

ordered_json claim_to_json(const Claim& claim, const lab::JudgedClaim& judged,
                           std::uint64_t first_seed) {
  ordered_json json{{"id", claim.id}};
  add_claim(json, claim, judged, first_seed);
  if (claim.readings.empty()) return json;
  json["readings"] = ordered_json::array();
  for (std::size_t i = 0; i < claim.readings.size(); ++i) {
    ordered_json reading = ordered_json::object();
    add_claim(reading, claim.readings[i], judged.readings[i], first_seed);
    reading["mean"] = lab::name_of(lab::rows_of(claim.readings[i].kind).mean);
    json["readings"].push_back(std::move(reading));
  }
  return json;
}

/// The parameters of the machines of all runs: finds those that several runs have in common.
class Parameters {
 public:
  explicit Parameters(const lab::Plan& plan) {
    for (const lab::RunRequest& run : plan.cells) {
      machines_.push_back(ordered_json::object());
      for_each_parameter(run.machine, [&](const config::Parameter& parameter) {
        machines_.back()[parameter.name] = value_to_json(parameter);
      });
    }
  }

  /// The parameters that have the same value in runs `first`, `first + step`, and so on to the
  /// last.
  ordered_json common(std::size_t first, std::size_t step) const {
    ordered_json same = ordered_json::object();
    for (const auto& [name, value] : machines_.at(first).items()) {
      bool is_same = true;
      for (std::size_t i = first; i < machines_.size(); i += step) {
        is_same = is_same && machines_[i].at(name) == value;
      }
      if (is_same) same[name] = value;
    }
    return same;
  }

 private:
  std::vector<ordered_json> machines_;
};

ordered_json variants_to_json(const Experiment& experiment, const Parameters& parameters,
                              const ordered_json& common_to_all) {
  ordered_json json = ordered_json::array();
  const std::size_t columns = experiment.simulated_variants().size();
  std::size_t column = 0;
  for (const lab::Variant& variant : experiment.variants) {
    ordered_json described{{"name", variant.name},
                           {"machine", name_or_null(variant.machine)},
                           {"set", variant.settings},
                           {"best_of", variant.best_of},
                           {"as_in", name_or_null(variant.as_in)},
                           {"hidden", variant.is_hidden}};
    if (!variant.workloads.empty()) {
      described["workloads"] = ordered_json::object();
      for (const auto& [row, other] : variant.workloads) {
        described["workloads"][row] = other.text;
      }
    }
    described["parameters"] = ordered_json::object();
    if (variant.is_simulated()) {
      const ordered_json common = parameters.common(column++, columns);
      for (const auto& [name, value] : common.items()) {
        if (!common_to_all.contains(name)) described["parameters"][name] = value;
      }
    }
    json.push_back(std::move(described));
  }
  return json;
}

ordered_json row_to_json(const ExperimentReport& report, std::size_t index) {
  const Experiment& experiment = *report.experiment;
  const lab::Row& row = experiment.rows[index];
  const lab::TableRow& measured = report.table.rows[index];
  const std::size_t columns = experiment.simulated_variants().size();
  ordered_json json{{"label", row.label},
                    {"workload", row.programs.empty() ? row.workload->name : row.programs}};
  json["size"] = workload::name_of(report.plan->cells[index * columns].size);
  json["registers"] = lab::name_of(row.registers);
  json["grid"] = workload::name_of(row.grid);
  json["group"] = row.group;
  json["set"] = row.settings;
  json["substitute"] = ordered_json::object();
  for (const auto& [column, shown] : row.substitutes) json["substitute"][column] = shown;
  add_values(json, report, measured);
  json["best"] = ordered_json::object();
  for (std::size_t i = 0; i < measured.best.size(); ++i) {
    if (measured.best[i].empty()) continue;
    json["best"][experiment.variants[i].name] = measured.best[i];
  }
  return json;
}

/// Null if the experiment lists its workloads instead of naming a suite.
ordered_json suite_to_json(const std::optional<lab::Suite>& suite) {
  if (!suite) return {};
  ordered_json json{{"name", suite->name}, {"paper", suite->paper}, {"table", suite->table}};
  json["missing"] = ordered_json::array();
  for (const lab::SuiteProgram& program : suite->programs) {
    if (program.workload != nullptr) continue;
    json["missing"].push_back({{"program", program.paper_name},
                               {"workload", name_or_null(program.workload_name)},
                               {"why", program.why_absent()}});
  }
  json["unnamed"] = suite->unnamed_programs;
  return json;
}

/// Quotes `text` if a shell would not read it as one word.
std::string shell_word(const std::string& text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("-_./+=:,").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain && !text.empty()) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string command_of(const ExperimentReport& report) {
  const Experiment& experiment = *report.experiment;
  const auto& known = lab::known_experiments();
  const bool is_known_name = std::any_of(known.begin(), known.end(), [&](const auto& one) {
    return one.name == experiment.name &&
           experiment.file == fmt::format("descriptions/experiments/{}.toml", experiment.name);
  });
  std::string command = fmt::format("heddle experiment {}",
                                    shell_word(is_known_name ? experiment.name : experiment.file));
  const lab::Overrides& overrides = report.plan->overrides;
  if (overrides.size) command += fmt::format(" --size {}", workload::name_of(*overrides.size));
  if (overrides.seeds) command += fmt::format(" --seeds {}", *overrides.seeds);
  for (const std::string& claim : overrides.claims) {
    command += fmt::format(" --claim {}", shell_word(claim));
  }
  for (const std::string& setting : overrides.settings) {
    command += fmt::format(" --set {}", shell_word(setting));
  }
  return command;
}

}  // namespace

ordered_json report_to_json(const ExperimentReport& report) {
  const Experiment& experiment = *report.experiment;
  ordered_json json{{"schema", "heddle-experiment-2"}, {"experiment", experiment.name},
                    {"title", experiment.title},       {"paper", experiment.paper},
                    {"figure", experiment.figure},     {"command", command_of(report)}};
  json["heddle"] = {{"version", HEDDLE_VERSION}, {"sources", lab::sources().digest()}};
  json["simulated_at"] =
      report.last_stored_at ? ordered_json(time_text(*report.last_stored_at)) : ordered_json();
  json["metric"] = experiment.metric.text();
  json["technology"] = name_or_null(experiment.technology);
  json["better"] = experiment.lower_is_better ? "lower" : "higher";
  json["normalised_to"] = name_or_null(experiment.normalise_to);
  json["mean"] = lab::name_of(experiment.mean);
  json["seed"] = experiment.seed;
  json["seeds"] = report.plan->seeds;
  json["own_sizes"] = report.has_sizes_of_claims();
  json["set"] = report.plan->overrides.settings;
  json["chart"] = {{"kind", lab::name_of(experiment.chart.kind)},
                   {"x", experiment.chart.x},
                   {"y", experiment.chart.y}};
  json["parts"] = ordered_json::array();
  for (const lab::Part& part : experiment.parts) {
    json["parts"].push_back({{"name", part.name}, {"metric", part.metric.text()}});
  }
  const Parameters parameters(*report.plan);
  json["parameters"] = parameters.common(0, 1);
  json["variants"] = variants_to_json(experiment, parameters, json["parameters"]);
  json["suite"] = suite_to_json(experiment.suite);
  json["groups"] = experiment.groups();
  json["rows"] = ordered_json::array();
  for (std::size_t i = 0; i < report.table.rows.size(); ++i) {
    json["rows"].push_back(row_to_json(report, i));
  }
  json["means"] = ordered_json::array();
  for (const lab::TableRow& mean : report.table.means) {
    ordered_json described{{"name", mean.name}, {"group", mean.group}};
    add_values(described, report, mean);
    json["means"].push_back(std::move(described));
  }
  json["claims"] = ordered_json::array();
  for (std::size_t i = 0; i < experiment.claims.size(); ++i) {
    json["claims"].push_back(
        claim_to_json(experiment.claims[i], report.claims[i], experiment.seed));
  }
  return json;
}

}  // namespace heddle
