#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/nearest.h"
#include "config/toml_table.h"
#include "lab/experiment.h"
#include "lab/read_claim.h"
#include "lab/read_values.h"
#include "lab/reading_with_settings.h"
#include "workload/program_choice.h"

namespace heddle::lab {
namespace {

/// Resolves the path of a machine's or a suite's file relative to the experiment's folder.
std::string description_name(const std::string& name, const std::string& experiment_file) {
  if (!name.ends_with(".toml")) return name;
  return (std::filesystem::path(experiment_file).parent_path() / name).string();
}

/// Reads the tables of an experiment's file into an Experiment.
class ExperimentReader {
 public:
  ExperimentReader(const config::TomlTable& top, Experiment& experiment)
      : top_(top), experiment_(experiment) {}

  void read() {
    experiment_.title = top_.text("title");
    experiment_.paper = top_.text("paper", "");
    experiment_.figure = top_.text("figure", "");
    experiment_.technology = description_name(top_.text("technology", ""), experiment_.file);
    experiment_.seed = top_.whole_number("seed", 1);
    read_seeds();
    read_rows();
    read_variants();
    check_substitutes();
    read_alone();
    read_metric_table();
    read_chart();
    experiment_.claims = read_claims(top_, experiment_);
    read_readings_with_settings(top_, experiment_);
  }

 private:
  void read_seeds() {
    experiment_.seeds = top_.whole_number("seeds", 1);
    if (experiment_.seeds < 1 || experiment_.seeds > kMaxSeeds) {
      top_.fail("seeds", fmt::format("'seeds' must be from 1 to {}", kMaxSeeds));
    }
  }

  RegisterChoice read_registers(const config::TomlTable& table,
                                const RegisterChoice& default_choice) const {
    if (!table.has("registers")) return default_choice;
    return table.at("registers", [&] { return parse_register_choice(table.text("registers")); });
  }

  workload::GridChoice read_grid(const config::TomlTable& table,
                                 workload::GridChoice default_choice) const {
    if (!table.has("grid")) return default_choice;
    return table.at("grid", [&] { return workload::parse_grid_choice(table.text("grid")); });
  }

  /// Throws InputError if the row takes the paper's register counts, and no paper states them.
  void check_registers(const config::TomlTable& table, std::string_view key, const Row& row,
                       const workload::ProgramChoice& program) const {
    const std::vector<workload::KernelDeclaration>& kernels =
        program.workload->kernels_for(program.grid);
    if (!program.registers && row.registers.source == RegisterChoice::Source::paper &&
        std::none_of(kernels.begin(), kernels.end(),
                     [](const auto& kernel) { return kernel.paper.has_value(); })) {
      table.fail(key, fmt::format("no paper gives the registers of '{}'; give it a [[workload]] "
                                  "with registers = \"compiled\"",
                                  program.workload->name));
    }
  }

  /// Sets the row's workload, or its programs if `name` is several workloads side by side.
  void set_workload(const config::TomlTable& table, std::string_view key, const std::string& name,
                    Row& row) const {
    table.at(key, [&] {
      if (workload::names_several_programs(name)) {
        row.programs = name;
        row.workload =
            workload::parse_programs(name, {.size = row.size, .grid = row.grid}).front().workload;
      } else {
        row.workload = &workload::find_workload(name);
      }
    });
  }

  /// Throws InputError if the row's only workload does not have what the row takes from it.
  void check_workload(const config::TomlTable& table, std::string_view key, const Row& row) const {
    table.at(key, [&] { row.workload->require(row.grid); });
    check_registers(table, key, row, {.workload = row.workload, .grid = row.grid});
  }

  void add_row(const config::TomlTable& table, std::string_view key, Row row) {
    if (row.programs.empty()) {
      check_workload(table, key, row);
    } else {
      for (const workload::ProgramChoice& program :
           workload::parse_programs(row.programs, {.size = row.size, .grid = row.grid})) {
        check_registers(table, key, row, program);
      }
    }
    if (has_row(experiment_, row.label)) {
      table.fail(key,
                 fmt::format("there are two rows '{}'; 'label' distinguishes them", row.label));
    }
    experiment_.rows.push_back(std::move(row));
  }

  /// Adds a row for each program of the suite in "suite:NAME" that is a workload.
  void read_suite_rows(const Row& defaults) {
    constexpr std::string_view kPrefix = "suite:";
    const std::string chosen = top_.text("workloads");
    if (!chosen.starts_with(kPrefix)) {
      top_.fail("workloads", "'workloads' must be a list of strings, or \"suite:NAME\"");
    }
    const std::string name = description_name(chosen.substr(kPrefix.size()), experiment_.file);
    experiment_.suite = top_.at("workloads", [&] { return load_suite(name); });
    if (experiment_.suite->count_runnable() == 0) {
      top_.fail("workloads", fmt::format("no program of suite '{}' is an available workload",
                                         experiment_.suite->name));
    }
    for (const SuiteProgram& program : experiment_.suite->programs) {
      if (program.workload == nullptr) continue;
      Row row = defaults;
      row.label = program.workload_name;
      row.workload = program.workload;
      row.group = program.group;
      if (program.size && !top_.has("size")) row.size = *program.size;
      add_row(top_, "workloads", std::move(row));
    }
  }

  /// Adds a row for each workload that the list "workloads" names.
  void read_named_rows(const Row& defaults) {
    for (const std::string& name : top_.texts("workloads")) {
      Row row = defaults;
      row.label = name;
      set_workload(top_, "workloads", name, row);
      add_row(top_, "workloads", std::move(row));
    }
  }

  std::vector<config::TomlTable> workload_tables() const {
    return top_.tables(
        "workload", {"name", "label", "size", "registers", "grid", "group", "set", "substitute"});
  }

  void read_rows() {
    const Row defaults{.size = read_size(top_).value_or(workload::Size::small),
                       .registers = read_registers(top_, {}),
                       .grid = read_grid(top_, workload::GridChoice::input)};
    if (top_.has_text("workloads")) {
      read_suite_rows(defaults);
    } else {
      read_named_rows(defaults);
    }
    for (const config::TomlTable& table : workload_tables()) {
      const std::string name = table.text("name");
      Row row{.label = table.text("label", name),
              .size = read_size(table).value_or(defaults.size),
              .registers = read_registers(table, defaults.registers),
              .grid = read_grid(table, defaults.grid),
              .group = table.text("group", ""),
              .settings = table.texts("set"),
              .substitutes = table.named_texts("substitute")};
      set_workload(table, "name", name, row);
      add_row(table, "name", std::move(row));
    }
    if (experiment_.rows.empty()) top_.fail("workloads", "the experiment has no workloads");
  }

  void read_variants() {
    const std::vector<std::string> settings = top_.texts("set");
    const std::vector<config::TomlTable> tables = top_.tables(
        "variant", {"name", "machine", "set", "workloads", "best_of", "as_in", "hidden"});
    for (const config::TomlTable& table : tables) {
      Variant variant{.name = table.text("name"), .is_hidden = table.flag("hidden", false)};
      if (has_variant(experiment_, variant.name)) {
        table.fail("name", fmt::format("there are two variants '{}'", variant.name));
      }
      if (table.has("best_of")) {
        variant.best_of = table.texts("best_of");
        if (variant.best_of.size() < 2)
          table.fail("best_of", "'best_of' needs two or more variants");
        for (const char* const key : {"machine", "set", "workloads"}) {
          if (table.has(key)) {
            table.fail(
                key, fmt::format("a variant with 'best_of' is not simulated: it has no '{}'", key));
          }
        }
        variant.as_in = table.text("as_in", "");
      } else {
        const config::TomlTable& table_with_machine = table.has("machine") ? table : top_;
        variant.machine = description_name(table_with_machine.text("machine"), experiment_.file);
        variant.settings = settings;
        for (std::string& setting : table.texts("set")) {
          variant.settings.push_back(std::move(setting));
        }
        read_workloads_of(table, variant);
      }
      experiment_.variants.push_back(std::move(variant));
    }
    if (experiment_.variants.empty()) top_.fail("variant", "the experiment has no [[variant]]");
    for (std::size_t i = 0; i < tables.size(); ++i) {
      check_best_of(tables[i], experiment_.variants[i]);
      if (tables[i].has("as_in")) check_as_in(tables[i], experiment_.variants[i]);
    }
    if (std::all_of(experiment_.variants.begin(), experiment_.variants.end(),
                    [](const Variant& variant) { return variant.is_hidden; })) {
      top_.fail("variant", "all variants are hidden; at least one must be shown");
    }
  }

  void read_workloads_of(const config::TomlTable& table, Variant& variant) const {
    for (const std::pair<std::string, std::string>& replacement : table.named_texts("workloads")) {
      const std::string& label = replacement.first;
      const std::string& name = replacement.second;
      require_row(table, "workloads", experiment_, label);
      const Row& row = *std::find_if(experiment_.rows.begin(), experiment_.rows.end(),
                                     [&](const Row& each) { return each.label == label; });
      if (!row.programs.empty()) {
        table.fail("workloads", fmt::format("row '{}' has several programs", label));
      }
      if (workload::names_several_programs(name)) {
        table.fail("workloads", fmt::format("'{}' is several programs, not a workload", name));
      }
      constexpr std::uint64_t kRowsSeed = std::numeric_limits<std::uint64_t>::max();
      const workload::ProgramChoice program = table.at("workloads", [&] {
        return workload::parse_programs(name,
                                        {.size = row.size, .seed = kRowsSeed, .grid = row.grid})
            .front();
      });
      if (program.seed != kRowsSeed) {
        table.fail("workloads",
                   fmt::format("'{}': a variant's workload has the experiment's seeds", name));
      }
      check_registers(table, "workloads", row, program);
      variant.workloads.emplace(label, OtherWorkload{.text = name, .program = program});
    }
  }

  /// Called after all variants have been read, because rows come before them.
  void check_substitutes() const {
    for (const config::TomlTable& table : workload_tables()) {
      for (const auto& pair : table.named_texts("substitute")) {
        for (const std::string& name : {pair.first, pair.second}) {
          require_variant(table, "substitute", experiment_, name);
          if (!experiment_.variants[experiment_.variant_index(name)].is_simulated()) {
            table.fail("substitute",
                       fmt::format("'{}' has a 'best_of'; name simulated variants", name));
          }
        }
      }
    }
  }

  void read_alone() {
    for (const config::TomlTable& table : top_.tables("alone", {"machine", "set"})) {
      const config::TomlTable& table_with_machine = table.has("machine") ? table : top_;
      AloneMachine alone{
          .machine = description_name(table_with_machine.text("machine"), experiment_.file),
          .settings = top_.texts("set")};
      for (std::string& setting : table.texts("set")) alone.settings.push_back(std::move(setting));
      experiment_.machines_alone.push_back(std::move(alone));
    }
    if (experiment_.machines_alone.empty()) return;
    for (const Row& row : experiment_.rows) {
      const std::size_t programs =
          row.programs.empty()
              ? 1
              : workload::parse_programs(row.programs, {.size = row.size, .grid = row.grid}).size();
      if (programs == experiment_.machines_alone.size()) continue;
      top_.fail("alone", fmt::format("row '{}' has {} program{}, and there are {} [[alone]]: one "
                                     "for each is needed",
                                     row.label, programs, programs == 1 ? "" : "s",
                                     experiment_.machines_alone.size()));
    }
  }

  /// Called after all variants have been read, because candidates may follow in the file.
  void check_best_of(const config::TomlTable& table, const Variant& variant) const {
    for (const std::string& name : variant.best_of) {
      require_variant(table, "best_of", experiment_, name);
      if (!experiment_.variants[experiment_.variant_index(name)].is_simulated()) {
        table.fail("best_of",
                   fmt::format("'{}' has a 'best_of' itself; name simulated variants", name));
      }
    }
  }

  void check_as_in(const config::TomlTable& table, const Variant& variant) const {
    if (variant.best_of.empty())
      table.fail("as_in", "'as_in' chooses among the variants of a 'best_of', which is missing");
    require_variant(table, "as_in", experiment_, variant.as_in);
    const Variant& other = experiment_.variants[experiment_.variant_index(variant.as_in)];
    if (!other.as_in.empty() || other.best_of.size() != variant.best_of.size()) {
      table.fail("as_in", fmt::format("'{}' must have a 'best_of' of {} variants, and no 'as_in'",
                                      variant.as_in, variant.best_of.size()));
    }
  }

  void read_metric_table() {
    const auto table = top_.table("metric", {"name", "normalise_to", "mean", "better"});
    if (!table) top_.fail("metric", "the experiment has no [metric]");
    experiment_.metric = read_metric(*table, "name");
    experiment_.normalise_to = table->text("normalise_to", "");
    if (!experiment_.normalise_to.empty()) {
      require_variant(*table, "normalise_to", experiment_, experiment_.normalise_to);
    }
    experiment_.mean = read_mean(*table, experiment_.normalise_to);
    const std::string better = table->text("better", "higher");
    if (better != "higher" && better != "lower") {
      table->fail("better", fmt::format("'better' must be \"higher\" or \"lower\", not '{}'{}",
                                        better, suggestion(better, {"higher", "lower"})));
    }
    experiment_.lower_is_better = better == "lower";
  }

  void read_chart() {
    const auto table = top_.table("chart", {"kind", "x", "y"});
    if (table) {
      if (table->has("kind")) {
        experiment_.chart.kind =
            table->at("kind", [&] { return parse_chart_kind(table->text("kind")); });
      }
      experiment_.chart.x = table->text("x", "");
      experiment_.chart.y = table->text("y", "");
    }
    for (const config::TomlTable& part : top_.tables("part", {"name", "metric"})) {
      const std::string name = part.text("name");
      for (const Part& other : experiment_.parts) {
        if (other.name == name) part.fail("name", fmt::format("there are two parts '{}'", name));
      }
      experiment_.parts.push_back({name, read_metric(part, "metric")});
    }
    const bool is_stacked = experiment_.chart.kind == Chart::Kind::stacked;
    if (is_stacked && experiment_.parts.empty()) {
      table->fail("kind", "a stacked chart needs at least one [[part]]");
    }
    if (!is_stacked && !experiment_.parts.empty()) {
      top_.fail("part", "only a [chart] of kind \"stacked\" has parts");
    }
  }

  const config::TomlTable& top_;
  Experiment& experiment_;
};

}  // namespace

Experiment read_experiment(std::string_view text, const std::string& name,
                           const std::string& file) {
  const toml::table parsed = config::parse_toml(text, file);
  Experiment experiment{.name = name, .file = file};
  const config::TomlTable top(
      parsed, experiment.file,
      {"title",   "paper",     "figure", "machine", "technology", "size",     "seed",
       "seeds",   "registers", "grid",   "set",     "workloads",  "workload", "metric",
       "variant", "alone",     "chart",  "part",    "claim",      "reading"});
  ExperimentReader(top, experiment).read();
  return experiment;
}

}  // namespace heddle::lab
