#include "lab/suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/nearest.h"
#include "config/toml_table.h"
#include "lab/read_values.h"

namespace heddle::lab {
namespace {

/// Returns null if no workload has that name.
const workload::Workload* workload_of_name(std::string_view name) {
  const auto& all = workload::all_workloads();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const auto* workload) { return workload->name == name; });
  return found == all.end() ? nullptr : *found;
}

SuiteProgram read_program(const config::TomlTable& table) {
  SuiteProgram program{.paper_name = table.text("paper_name"),
                       .origin = table.text("origin", ""),
                       .group = table.text("group", "")};
  if (table.has("workload") == table.has("missing")) {
    table.fail("missing", fmt::format("'{}' needs either the 'workload' that it is or would be, or "
                                      "'missing': the reason why it will never be one",
                                      program.paper_name));
  }
  if (table.has("missing")) {
    program.missing = table.text("missing");
  } else {
    program.workload_name = table.text("workload");
    program.workload = workload_of_name(program.workload_name);
    program.size = read_size(table);
  }
  return program;
}

/// Throws InputError if another program has the same name in the paper or the same workload. An
/// experiment names a row by its workload, and lists name a missing program by its name in the
/// paper.
void require_unique_names(const config::TomlTable& table, const SuiteProgram& program,
                          const Suite& suite) {
  for (const SuiteProgram& other : suite.programs) {
    if (other.paper_name == program.paper_name) {
      table.fail("paper_name", fmt::format("there are two programs '{}'", program.paper_name));
    }
    if (!program.workload_name.empty() && other.workload_name == program.workload_name) {
      table.fail("workload", fmt::format("'{}' is the workload of '{}' already",
                                         program.workload_name, other.paper_name));
    }
  }
}

}  // namespace

std::string SuiteProgram::why_absent() const {
  if (workload != nullptr) return "";
  return missing.empty() ? "not yet" : missing;
}

std::uint64_t Suite::count_runnable() const {
  return static_cast<std::uint64_t>(
      std::count_if(programs.begin(), programs.end(),
                    [](const SuiteProgram& program) { return program.workload != nullptr; }));
}

Suite read_suite(std::string_view text, const std::string& name, const std::string& file) {
  const toml::table parsed = config::parse_toml(text, file);
  const config::TomlTable top(parsed, file, {"paper", "table", "unnamed", "size", "programs"});
  Suite suite{.name = name,
              .paper = top.text("paper"),
              .table = top.text("table"),
              .unnamed_programs = top.whole_number("unnamed", 0)};
  const std::optional<workload::Size> default_size = read_size(top);
  for (const config::TomlTable& table :
       top.tables("programs", {"paper_name", "origin", "group", "workload", "size", "missing"})) {
    SuiteProgram program = read_program(table);
    if (!program.size) program.size = default_size;
    require_unique_names(table, program, suite);
    suite.programs.push_back(std::move(program));
  }
  if (suite.programs.empty()) top.fail("programs", "the suite has no programs");
  return suite;
}

Suite load_suite(const std::string& name) {
  if (name.ends_with(".toml")) {
    return read_suite(read_file(name), std::filesystem::path(name).stem().string(), name);
  }
  std::vector<std::string> names;
  for (const KnownSuite& known : known_suites()) {
    if (known.name == name)
      return read_suite(known.text, name, fmt::format("descriptions/suites/{}.toml", name));
    names.emplace_back(known.name);
  }
  throw InputError(
      fmt::format("unknown suite '{}'{} (see 'heddle list suites'; the name of a file must end in "
                  ".toml)",
                  name, suggestion(name, names)));
}

}  // namespace heddle::lab
