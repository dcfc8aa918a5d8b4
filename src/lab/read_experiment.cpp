#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "base/nearest.h"
#include "lab/experiment.h"
#include "lab/toml_table.h"

namespace heddle::lab {
namespace {

/// A description in a file is named as seen from the experiment's folder.
std::string machine_name(const std::string& name, const std::string& experiment_file) {
  if (!name.ends_with(".toml")) return name;
  return (std::filesystem::path(experiment_file).parent_path() / name).string();
}

Registers parse_registers(std::string_view text) {
  for (const Registers registers : {Registers::compiled, Registers::paper}) {
    if (name_of(registers) == text) return registers;
  }
  throw InputError(
      fmt::format("there are no registers '{}'{}", text, suggestion(text, {"compiled", "paper"})));
}

Claim::Kind parse_kind(std::string_view text) {
  using Kind = Claim::Kind;
  std::vector<std::string> names;
  for (const Kind kind : {Kind::gain, Kind::saving, Kind::share, Kind::figure, Kind::order}) {
    if (name_of(kind) == text) return kind;
    names.emplace_back(name_of(kind));
  }
  throw InputError(fmt::format("there is no kind of claim '{}'{}", text, suggestion(text, names)));
}

class Reader {
 public:
  Reader(const TomlTable& top, Experiment& experiment) : top_(top), read_(experiment) {}

  void read() {
    read_.title = top_.text("title");
    read_.paper = top_.text("paper", "");
    read_.figure = top_.text("figure", "");
    read_.seed = top_.whole_number("seed", 1);
    read_rows();
    read_variants();
    read_metric();
    for (const TomlTable& table :
         top_.tables("claim", {"id", "text", "kind", "value", "within", "variant", "relative_to",
                               "workload", "group", "metric", "mean", "order"})) {
      read_claim(table);
    }
  }

 private:
  workload::Size read_size(const TomlTable& table, workload::Size otherwise) const {
    if (!table.has("size")) return otherwise;
    return table.at("size", [&] { return workload::parse_size(table.text("size")); });
  }

  Registers read_registers(const TomlTable& table, Registers otherwise) const {
    if (!table.has("registers")) return otherwise;
    return table.at("registers", [&] { return parse_registers(table.text("registers")); });
  }

  static Mean usual_mean(const std::string& relative_to) {
    return relative_to.empty() ? Mean::arithmetic : Mean::geometric;
  }

  static Mean read_mean(const TomlTable& table, Mean otherwise) {
    if (!table.has("mean")) return otherwise;
    return table.at("mean", [&] { return parse_mean(table.text("mean")); });
  }

  void add_row(const TomlTable& table, std::string_view key, Row row) {
    if (row.registers == Registers::paper &&
        std::none_of(row.workload->kernels.begin(), row.workload->kernels.end(),
                     [](const auto& kernel) { return kernel.paper.has_value(); })) {
      table.fail(key, fmt::format("no paper gives the registers of '{}'; give it a [[workload]] "
                                  "with registers = \"compiled\"",
                                  row.workload->name));
    }
    if (has_row(row.label)) {
      table.fail(key, fmt::format("there are two rows '{}'; 'label' tells them apart", row.label));
    }
    read_.rows.push_back(std::move(row));
  }

  void read_rows() {
    const workload::Size size = read_size(top_, workload::Size::small);
    const Registers registers = read_registers(top_, Registers::compiled);
    for (const std::string& name : top_.texts("workloads")) {
      const workload::Workload& workload = top_.at(
          "workloads", [&]() -> auto& { return workload::find_workload(name); });
      add_row(top_, "workloads",
              {.label = name, .workload = &workload, .size = size, .registers = registers});
    }
    for (const TomlTable& table :
         top_.tables("workload", {"name", "label", "size", "registers", "group", "set"})) {
      const std::string name = table.text("name");
      const workload::Workload& workload = table.at(
          "name", [&]() -> auto& { return workload::find_workload(name); });
      add_row(table, "name",
              {.label = table.text("label", name),
               .workload = &workload,
               .size = read_size(table, size),
               .registers = read_registers(table, registers),
               .group = table.text("group", ""),
               .settings = table.texts("set")});
    }
    if (read_.rows.empty()) top_.fail("workloads", "it has no workloads");
  }

  void read_variants() {
    const std::vector<std::string> settings = top_.texts("set");
    for (const TomlTable& table : top_.tables("variant", {"name", "machine", "set"})) {
      Variant variant{.name = table.text("name"), .settings = settings};
      if (has_variant(variant.name)) {
        table.fail("name", fmt::format("there are two variants '{}'", variant.name));
      }
      const TomlTable& chooses = table.has("machine") ? table : top_;
      variant.machine = machine_name(chooses.text("machine"), read_.file);
      for (std::string& setting : table.texts("set"))
        variant.settings.push_back(std::move(setting));
      read_.variants.push_back(std::move(variant));
    }
    if (read_.variants.empty()) top_.fail("variant", "it has no [[variant]]");
  }

  void read_metric() {
    const auto table = top_.table("metric", {"name", "normalise_to", "mean"});
    if (!table) top_.fail("metric", "it has no [metric]");
    read_.metric = parse_metric(*table, "name");
    read_.normalise_to = table->text("normalise_to", "");
    if (!read_.normalise_to.empty()) require_variant(*table, "normalise_to", read_.normalise_to);
    read_.mean = read_mean(*table, usual_mean(read_.normalise_to));
  }

  void read_claim(const TomlTable& table) {
    Claim claim{.id = table.text("id"), .text = table.text("text")};
    for (const Claim& other : read_.claims) {
      if (other.id == claim.id) {
        table.fail("id", fmt::format("there are two claims '{}'", claim.id));
      }
    }
    claim.kind = table.at("kind", [&] { return parse_kind(table.text("kind")); });
    if (table.has("metric")) claim.metric = parse_metric(table, "metric");
    read_place(table, claim);
    read_comparison(table, claim);
    claim.mean = read_mean(table, claim.metric ? usual_mean(claim.relative_to) : read_.mean);
    if (claim.kind == Claim::Kind::order) {
      read_order(table, claim);
    } else {
      read_value(table, claim);
    }
    read_.claims.push_back(std::move(claim));
  }

  /// Which rows it is about.
  void read_place(const TomlTable& table, Claim& claim) const {
    claim.workload = table.text("workload", "");
    claim.group = table.text("group", "");
    if (!claim.workload.empty() && !claim.group.empty()) {
      table.fail("group", "a claim is about a workload or a group, not both");
    }
    if (!claim.workload.empty() && !has_row(claim.workload)) {
      std::vector<std::string> labels;
      for (const Row& row : read_.rows) labels.push_back(row.label);
      table.fail("workload", fmt::format("the experiment has no workload '{}'{}", claim.workload,
                                         suggestion(claim.workload, labels)));
    }
    const std::vector<std::string> groups = read_.groups();
    if (!claim.group.empty() &&
        std::find(groups.begin(), groups.end(), claim.group) == groups.end()) {
      table.fail("group", fmt::format("no workload is in a group '{}'{}", claim.group,
                                      suggestion(claim.group, groups)));
    }
  }

  /// What its variant is measured against.
  void read_comparison(const TomlTable& table, Claim& claim) const {
    const bool compares = claim.kind == Claim::Kind::gain || claim.kind == Claim::Kind::saving;
    if (table.has("relative_to")) {
      claim.relative_to = table.text("relative_to");
      require_variant(table, "relative_to", claim.relative_to);
    } else if (compares || !claim.metric) {
      claim.relative_to = read_.normalise_to;
    }
    if (compares && claim.relative_to.empty()) {
      table.fail("kind", fmt::format("a {} needs 'relative_to', or the metric a 'normalise_to'",
                                     name_of(claim.kind)));
    }
  }

  void read_value(const TomlTable& table, Claim& claim) const {
    if (table.has("order")) table.fail("order", "only a claim of kind \"order\" has an order");
    claim.variant = table.text("variant");
    require_variant(table, "variant", claim.variant);
    const std::optional<double> value = table.number("value");
    if (!value || !std::isfinite(*value)) table.fail("value", "'value' must be given, as a number");
    claim.value = *value;
    claim.within = table.number("within");
    if (claim.within && !(*claim.within >= 0)) {
      table.fail("within", "'within' must not be negative");
    }
    if (claim.value == 0 && !claim.within) {
      table.fail("value", "nothing lies within half to twice of 0; say how far with 'within'");
    }
  }

  void read_order(const TomlTable& table, Claim& claim) const {
    for (const char* const key : {"value", "within", "variant"}) {
      if (table.has(key)) table.fail(key, fmt::format("a claim of an order has no '{}'", key));
    }
    claim.order = table.texts("order");
    if (claim.order.size() < 2) table.fail("order", "an order has two variants or more");
    for (const std::string& variant : claim.order) require_variant(table, "order", variant);
  }

  Metric parse_metric(const TomlTable& table, std::string_view key) const {
    return table.at(key, [&] { return Metric(table.text(key)); });
  }

  bool has_row(const std::string& label) const {
    return std::any_of(read_.rows.begin(), read_.rows.end(),
                       [&](const Row& row) { return row.label == label; });
  }
  bool has_variant(const std::string& name) const {
    return std::any_of(read_.variants.begin(), read_.variants.end(),
                       [&](const Variant& variant) { return variant.name == name; });
  }
  void require_variant(const TomlTable& table, std::string_view key,
                       const std::string& name) const {
    if (has_variant(name)) return;
    std::vector<std::string> names;
    for (const Variant& variant : read_.variants) names.push_back(variant.name);
    table.fail(key, fmt::format("there is no variant '{}'{}", name, suggestion(name, names)));
  }

  const TomlTable& top_;
  Experiment& read_;
};

}  // namespace

Experiment read_experiment(std::string_view text, const std::string& name,
                           const std::string& file) {
  const toml::table parsed = config::parse_toml(text, file);
  Experiment experiment{.name = name, .file = file};
  const TomlTable top(parsed, experiment.file,
                      {"title", "paper", "figure", "machine", "size", "seed", "registers", "set",
                       "workloads", "workload", "metric", "variant", "claim"});
  Reader(top, experiment).read();
  return experiment;
}

}  // namespace heddle::lab
