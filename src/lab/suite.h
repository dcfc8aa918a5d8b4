#pragma once

// A suite: the programs of one paper's evaluation table, and Heddle's workload for each of them. A
// program may name a workload that has not been written yet; lists show such a program, and
// experiments leave it out. The suites are declared in descriptions/suites/; docs/workloads.md
// describes the format of the file.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workload/workload.h"

namespace heddle::lab {

/// A row of the paper's table.
struct SuiteProgram {
  std::string paper_name;                        ///< In the paper's spelling.
  std::string origin{};                          ///< The benchmark suite, if the table names it.
  std::string group{};                           ///< The group in the table; empty: none.
  std::string workload_name{};                   ///< Empty if no workload is planned.
  std::string missing{};                         ///< Why no workload is planned; empty if one is.
  const workload::Workload* workload = nullptr;  ///< Null if the workload has not been written.
  /// The workload's size whose input is nearest to the paper's, if the suite states it.
  std::optional<workload::Size> size{};

  /// Why the program cannot be run; empty if it can.
  std::string why_absent() const;
};

struct Suite {
  std::string name;
  std::string paper{};
  std::string table{};  ///< The table in the paper.
  std::vector<SuiteProgram> programs{};
  /// Number of programs that the paper counts but does not name.
  std::uint64_t unnamed_programs = 0;

  /// Number of programs that the paper counts.
  std::uint64_t program_count() const { return programs.size() + unnamed_programs; }
  /// Number of programs that can be run, because their workloads have been written.
  std::uint64_t count_runnable() const;
};

/// Throws InputError with the position of a mistake.
Suite read_suite(std::string_view text, const std::string& name, const std::string& file);

struct KnownSuite {
  std::string_view name;
  std::string_view text;
};
/// The suites in descriptions/suites/, which are embedded in the program, sorted by name.
const std::vector<KnownSuite>& known_suites();

/// Loads a built-in suite by its name or, if `name` ends in ".toml", a suite's file. Throws
/// InputError if there is none.
Suite load_suite(const std::string& name);

}  // namespace heddle::lab
