#pragma once

// Results of runs, in an SQLite file, each under the key of what determines it. Several processes
// may use one file; a process that is killed leaves whole results or none.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/sqlite.h"

namespace heddle::lab {

struct StoredRun {
  std::string key;
  std::string workload;
  std::string size;
  std::string seed;
  std::string registers;
  std::string machine;         ///< As the first experiment that needed the run called it.
  std::string parameters;      ///< The machine's, a line each.
  std::string version;         ///< Of Heddle's sources that it used (lab/sources.h).
  std::int64_t stored_at = 0;  ///< Seconds since 1970, UTC.
  double host_seconds = 0;
  std::string result;  ///< As `heddle run --json` writes it, without "host".
};

/// Which runs are meant: those that everything set here applies to.
struct RunFilter {
  std::string workload{};
  std::string size{};
  std::string machine{};
  std::string version{};
  std::optional<std::int64_t> stored_before{};
};

class Store {
 public:
  enum class IfMissing : std::uint8_t { create, refuse };

  /// Throws InputError where the file is none of ours, of a newer Heddle, or damaged.
  Store(std::string file, IfMissing if_missing);

  const std::string& file() const { return database_.file(); }

  bool contains(std::string_view key) const;
  std::optional<std::string> result_of(std::string_view key) const;
  /// Seconds since 1970, UTC; empty where there is no such run.
  std::optional<std::int64_t> stored_at(std::string_view key) const;
  /// A run that is there already stays as it is: it has the same result.
  void add(const StoredRun& run);
  /// What the last run of a workload of that size took, on whatever machine.
  std::optional<double> host_seconds_of(std::string_view workload, std::string_view size) const;

  /// All that there are, each once.
  std::vector<std::string> versions() const;
  /// By workload, size, machine and time.
  void for_each(const RunFilter& filter, const std::function<void(const StoredRun&)>& look) const;
  /// The one whose key begins so. Throws InputError where there is none, or several.
  StoredRun find(std::string_view key_begin) const;
  std::uint64_t remove(const RunFilter& filter);

 private:
  void prepare_file();

  Database database_;
};

}  // namespace heddle::lab
