#pragma once

// A suite: the programs of one paper's evaluation table, and which workloads they are. A row names
// its workload whether or not it has been written; what has not is listed, and left out of
// experiments. The suites are declared in suites/; docs/workloads.md describes the file.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workload/workload.h"

namespace heddle::lab {

/// A row of the table.
struct SuiteProgram {
  std::string paper_name;  ///< As the paper spells it.
  std::string origin{};    ///< The benchmark suite that it comes from, where the table says it.
  std::string group{};     ///< In which the table sorts it; empty: in none.
  std::string workload_name{};                   ///< Empty: it will never be one.
  std::string missing{};                         ///< Why not.
  const workload::Workload* workload = nullptr;  ///< Null where there is none of that name.
  /// Of the input that is nearest to the paper's, where the suite says it.
  std::optional<workload::Size> size{};

  /// Why it cannot be run; empty where it can.
  std::string why_absent() const;
};

struct Suite {
  std::string name;
  std::string paper{};
  std::string table{};  ///< Of the paper.
  std::vector<SuiteProgram> programs{};
  std::uint64_t unnamed = 0;  ///< Programs that the paper counts and does not name.

  std::uint64_t size() const { return programs.size() + unnamed; }
  /// Those that can be run.
  std::uint64_t present() const;
};

/// Throws InputError with the place for what is not right in it.
Suite read_suite(std::string_view text, const std::string& name, const std::string& file);

struct KnownSuite {
  std::string_view name;
  std::string_view text;
};
/// Those of suites/, which are part of the program, by name.
const std::vector<KnownSuite>& known_suites();

/// The suite of a built-in name or, where `name` ends in ".toml", of a file.
Suite load_suite(const std::string& name);

}  // namespace heddle::lab
