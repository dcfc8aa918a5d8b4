#include "lab/report/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace heddle::lab::report {
namespace {

using nlohmann::ordered_json;

constexpr const char* kSchema = "heddle-experiment-2";

/// Empty for null, and if the key is missing because an older Heddle wrote the file.
std::string text_at(const ordered_json& json, const char* key) {
  if (!json.contains(key) || json.at(key).is_null()) return "";
  return json.at(key).get<std::string>();
}

std::vector<std::string> texts_at(const ordered_json& json, const char* key) {
  if (!json.contains(key)) return {};
  return json.at(key).get<std::vector<std::string>>();
}

template <class T>
std::optional<T> value_at(const ordered_json& json, const std::string& key) {
  if (!json.contains(key) || json.at(key).is_null()) return std::nullopt;
  return json.at(key).get<T>();
}

NamedTexts parameters_at(const ordered_json& json) {
  NamedTexts texts;
  if (!json.contains("parameters")) return texts;
  for (const auto& [name, value] : json.at("parameters").items()) {
    texts.emplace_back(name, value.is_string() ? value.get<std::string>() : value.dump());
  }
  return texts;
}

std::optional<Spread> spread_at(const ordered_json& json, const std::string& column) {
  if (!json.contains("least")) return std::nullopt;
  const auto least = value_at<double>(json.at("least"), column);
  const auto most = value_at<double>(json.at("most"), column);
  return least && most ? std::optional(Spread{*least, *most}) : std::nullopt;
}

StudyRow read_row(const ordered_json& json, const Study& study, const char* label) {
  StudyRow row{.label = json.at(label).get<std::string>(),
               .size = text_at(json, "size"),
               .settings = texts_at(json, "set"),
               .group = text_at(json, "group")};
  for (const std::string& column : study.columns) {
    row.values.push_back(value_at<double>(json.at("values"), column));
    row.spreads.push_back(spread_at(json, column));
    row.best.push_back(json.contains("best") ? text_at(json.at("best"), column.c_str()) : "");
    Values parts;
    for (const auto& [part, metric] : study.parts) {
      parts.push_back(value_at<double>(json.at("parts").at(column), part));
    }
    row.parts.push_back(std::move(parts));
  }
  return row;
}

void read_rows(const ordered_json& json, ClaimedRows& rows) {
  rows.workload = text_at(json, "workload");
  rows.group = text_at(json, "group");
}

void read_reported_range(const ordered_json& json, ReportedValue& reported) {
  if (json.is_number()) {
    reported.least = reported.most = json.get<double>();
  } else {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    reported.least = value_at<double>(json, "at_least").value_or(-kInfinity);
    reported.most = value_at<double>(json, "at_most").value_or(kInfinity);
  }
}

void read_kind(const ordered_json& json, Claim& claim) {
  if (Order* const order = std::get_if<Order>(&claim.kind)) {
    order->variants = texts_at(json, "reported");
    read_rows(json, order->rows);
  } else if (Classes* const classes = std::get_if<Classes>(&claim.kind)) {
    classes->variant = text_at(json, "variant");
    for (const auto& [row, name] : json.at("reported").items()) {
      classes->expected.push_back({row, name.get<std::string>()});
    }
  } else {
    ReportedValue& reported = *reported_value(claim.kind);
    reported.variant = text_at(json, "variant");
    read_rows(json, reported.rows);
    read_reported_range(json.at("reported"), reported);
    reported.tolerance = value_at<double>(json, "within");
  }
}

ClaimVerdict read_verdict(const ordered_json& json, const Claim& claim) {
  ClaimVerdict verdict{.sign_holds = value_at<bool>(json, "sign"),
                       .order_holds = value_at<bool>(json, "order"),
                       .classes_hold = value_at<bool>(json, "classes"),
                       .magnitude_holds = value_at<bool>(json, "magnitude"),
                       .is_rough = value_at<bool>(json, "rough").value_or(false),
                       .distance = value_at<double>(json, "distance")};
  const ordered_json& measured = json.at("measured");
  if (std::holds_alternative<Order>(claim.kind)) {
    for (const ordered_json& value : measured) {
      verdict.ordered_values.push_back(value.is_null() ? std::nullopt
                                                       : std::optional(value.get<double>()));
    }
  } else if (const Classes* const classes = std::get_if<Classes>(&claim.kind)) {
    for (const ExpectedClass& expected : classes->expected) {
      const ordered_json& row = measured.at(expected.row);
      verdict.classed_rows.push_back(
          {expected.row, expected.name, value_at<double>(row, "value"), text_at(row, "class")});
    }
  } else {
    verdict.measured = value_at<double>(json, "measured");
  }
  return verdict;
}

/// Reads a claim, or a claim's other reading, which has no id.
StudyClaim read_claim(const ordered_json& json) {
  StudyClaim read;
  Claim& claim = read.claim;
  claim.id = text_at(json, "id");
  claim.text = json.at("text").get<std::string>();
  claim.kind = parse_claim_kind(json.at("kind").get<std::string>());
  // An order may have a list of variants, which the report does not show.
  const bool has_list = json.contains("relative_to") && json.at("relative_to").is_array();
  if (!has_list) claim.relative_to = text_at(json, "relative_to");
  read_kind(json, claim);
  read.judged.verdict = read_verdict(json, claim);
  if (json.contains("seeds")) {
    for (const ordered_json& seed : json.at("seeds")) {
      read.judged.by_seed.push_back(read_verdict(seed, claim));
    }
  }
  if (json.contains("readings")) {
    for (const ordered_json& reading : json.at("readings")) {
      StudyClaim other = read_claim(reading);
      claim.readings.push_back(std::move(other.claim));
      read.judged.readings.push_back(std::move(other.judged));
    }
  }
  return read;
}

void read_variants(const ordered_json& json, Study& study) {
  for (const ordered_json& variant : json.at("variants")) {
    study.variants.push_back({.name = variant.at("name").get<std::string>(),
                              .machine = text_at(variant, "machine"),
                              .settings = texts_at(variant, "set"),
                              .best_of = texts_at(variant, "best_of"),
                              .as_in = text_at(variant, "as_in"),
                              .is_hidden = variant.value("hidden", false),
                              .parameters = parameters_at(variant)});
    if (!study.variants.back().is_hidden) study.columns.push_back(study.variants.back().name);
  }
}

void read_chart(const ordered_json& json, Study& study) {
  if (json.contains("chart")) {
    const ordered_json& chart = json.at("chart");
    study.chart = {.kind = parse_chart_kind(chart.at("kind").get<std::string>()),
                   .x = text_at(chart, "x"),
                   .y = text_at(chart, "y")};
  }
  if (!json.contains("parts")) return;
  for (const ordered_json& part : json.at("parts")) {
    study.parts.emplace_back(part.at("name").get<std::string>(),
                             part.at("metric").get<std::string>());
  }
}

void read_missing(const ordered_json& json, Study& study) {
  if (!json.contains("suite") || json.at("suite").is_null()) return;
  for (const ordered_json& program : json.at("suite").at("missing")) {
    study.missing.push_back(program.at("program").get<std::string>());
  }
}

Study read(const ordered_json& json) {
  Study study{.name = json.at("experiment").get<std::string>(),
              .title = json.at("title").get<std::string>(),
              .paper = text_at(json, "paper"),
              .figure = text_at(json, "figure"),
              .command = text_at(json, "command"),
              .metric = json.at("metric").get<std::string>(),
              .normalised_to = text_at(json, "normalised_to"),
              .simulated_at = text_at(json, "simulated_at")};
  if (json.contains("seed")) study.seed = json.at("seed").dump();
  if (json.contains("seeds")) study.seeds = json.at("seeds").dump();
  study.settings = texts_at(json, "set");
  study.has_sizes_of_claims = json.value("own_sizes", true);
  if (json.contains("heddle")) {
    study.version = text_at(json.at("heddle"), "version");
    study.sources = text_at(json.at("heddle"), "sources");
  }
  read_chart(json, study);
  read_variants(json, study);
  study.parameters = parameters_at(json);
  read_missing(json, study);
  for (const ordered_json& row : json.at("rows")) {
    study.rows.push_back(read_row(row, study, "label"));
  }
  for (const ordered_json& mean : json.at("means")) {
    study.means.push_back(read_row(mean, study, "name"));
  }
  for (const ordered_json& claim : json.at("claims")) study.claims.push_back(read_claim(claim));
  return study;
}

}  // namespace

std::string Study::value_name() const {
  if (!chart.y.empty()) return chart.y;
  return is_normalised() ? fmt::format("{}, relative to {}", metric, normalised_to) : metric;
}

ClaimCount& ClaimCount::operator+=(const ClaimCount& other) {
  judged += other.judged;
  holding += other.holding;
  other_sizes += other.other_sizes;
  other_machines += other.other_machines;
  return *this;
}

std::string claims_text(const ClaimCount& count) {
  std::string text;
  if (count.judged != 0) {
    text = fmt::format("{} of {} {}", count.holding, count.judged,
                       count.judged == 1 ? "claim holds" : "claims hold");
  }
  const auto add = [&](std::size_t others, const char* what) {
    if (others == 0) return;
    const char* const claims = others == 1 ? " claim" : " claims";
    text += fmt::format("{}{}{} {} about {}", text.empty() ? "" : "; ", others,
                        text.empty() ? claims : "", others == 1 ? "is" : "are", what);
  };
  add(count.other_sizes, "other sizes");
  add(count.other_machines, "other machines");
  return text;
}

ClaimCount Study::count_claims() const {
  if (!has_sizes_of_claims) return {.other_sizes = claims.size()};
  if (!settings.empty()) return {.other_machines = claims.size()};
  const auto holding = std::count_if(claims.begin(), claims.end(),
                                     [](const StudyClaim& claim) { return claim.judged.holds(); });
  return {.judged = claims.size(), .holding = static_cast<std::size_t>(holding)};
}

Study read_study(std::string_view json, const std::string& file) {
  try {
    const ordered_json parsed = ordered_json::parse(json);
    const std::string schema = parsed.is_object() ? text_at(parsed, "schema") : "";
    if (schema != kSchema) {
      throw InputError(
          schema.empty() ? std::string("this is not an experiment's result")
                         : fmt::format("the schema is '{}'; a report needs '{}'", schema, kSchema));
    }
    return read(parsed);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(fmt::format("{}: this is not an experiment's result: {}", file, error.what()));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", file, error.what()));
  }
}

}  // namespace heddle::lab::report
