#include "lab/read_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"

namespace heddle::lab {

std::optional<workload::Size> read_size(const config::TomlTable& table) {
  if (!table.has("size")) return std::nullopt;
  return table.at("size", [&] { return workload::parse_size(table.text("size")); });
}

Metric read_metric(const config::TomlTable& table, std::string_view key) {
  return table.at(key, [&] { return Metric(table.text(key)); });
}

Mean read_mean(const config::TomlTable& table, const std::string& relative_to,
               std::optional<Mean> default_mean) {
  if (!table.has("mean")) {
    return default_mean.value_or(relative_to.empty() ? Mean::arithmetic : Mean::geometric);
  }
  const Mean mean = table.at("mean", [&] { return parse_mean(table.text("mean")); });
  if (mean == Mean::ratio_of_sums && relative_to.empty()) {
    table.fail("mean", "\"ratio-of-sums\" needs values that are relative to a variant");
  }
  return mean;
}

std::vector<config::TomlTable> read_common_readings(const config::TomlTable& top) {
  std::vector<config::TomlTable> readings = top.tables("reading", {"text", "mean", "set"});
  for (const config::TomlTable& reading : readings) {
    static_cast<void>(reading.text("text"));
    if (reading.has("mean") == reading.has("set")) {
      reading.fail("text", "a reading of the whole experiment must have a 'mean' or a 'set'");
    }
  }
  return readings;
}

bool has_row(const Experiment& experiment, std::string_view label) {
  return std::any_of(experiment.rows.begin(), experiment.rows.end(),
                     [&](const Row& row) { return row.label == label; });
}

bool has_variant(const Experiment& experiment, std::string_view name) {
  return std::any_of(experiment.variants.begin(), experiment.variants.end(),
                     [&](const Variant& variant) { return variant.name == name; });
}

void require_row(const config::TomlTable& table, std::string_view key, const Experiment& experiment,
                 std::string_view label) {
  if (has_row(experiment, label)) return;
  std::vector<std::string> labels;
  for (const Row& row : experiment.rows) labels.push_back(row.label);
  table.fail(
      key, fmt::format("the experiment has no workload '{}'{}", label, suggestion(label, labels)));
}

void require_variant(const config::TomlTable& table, std::string_view key,
                     const Experiment& experiment, std::string_view name) {
  if (has_variant(experiment, name)) return;
  std::vector<std::string> names;
  for (const Variant& variant : experiment.variants) names.push_back(variant.name);
  table.fail(key, fmt::format("unknown variant '{}'{}", name, suggestion(name, names)));
}

}  // namespace heddle::lab
