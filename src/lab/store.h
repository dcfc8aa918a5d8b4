#pragma once

// The store of results: an SQLite file with one row for each run, under the run's key (run_key.h)
// and with a checksum. Several processes may use one file. A killed process leaves no partial
// results.

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/sqlite.h"
#include "lab/stored_run.h"

namespace heddle::lab {

/// Selects the runs that match every field that is not empty.
struct RunFilter {
  std::string workload{};
  std::string size{};
  std::string machine{};
  std::string version{};
  std::optional<std::int64_t> stored_before{};  ///< Seconds since 1970, UTC.
};

/// The requested run is in the store, but its row has changed since it was stored.
class DamagedRun : public InputError {
 public:
  using InputError::InputError;
};

/// Stored runs that take about as long as each other, because they have these texts in common.
struct MeasuredRuns {
  std::string workload;
  std::string size;
  std::string grid;
  std::string machine;

  auto operator<=>(const MeasuredRuns&) const = default;
  /// Whether the runs differ in the machine only.
  bool is_same_work(const MeasuredRuns& other) const {
    return workload == other.workload && size == other.size && grid == other.grid;
  }
};

/// The host time of stored runs.
struct MeasuredTime {
  double seconds = 0;  ///< The sum over the runs.
  std::uint64_t runs = 0;
};

/// An open store.
class Store {
 public:
  /// Throws InputError if the file is not a store, is damaged, or comes from a newer Heddle. If an
  /// older Heddle wrote the store, opening it for change adds checksums; runs that cannot be read
  /// then count as damaged. All functions that change the store throw ReadOnlyStore if the file
  /// cannot be written.
  Store(std::string file, Access access);

  const std::string& file() const { return database_.file(); }

  /// `sound`: the run's row has not changed since it was stored.
  enum class State : std::uint8_t { missing, sound, damaged };
  struct LookupResult {
    State state = State::missing;
    StoredRun run{};  ///< The run if the state is `sound`, else default values.
  };
  /// The run with this key.
  LookupResult look_up(std::string_view key) const;
  /// Whether the run is in the store and undamaged.
  bool contains(std::string_view key) const { return look_up(key).state == State::sound; }
  /// Adds a run. If the store has a run with the same key, a sound run is kept, because it has the
  /// same result, and a damaged one is replaced.
  void add(const StoredRun& run) { add(std::span(&run, 1)); }
  /// Adds all of the runs or, if an error occurs, none.
  void add(std::span<const StoredRun> runs);
  /// Throws ReadOnlyStore if the file cannot be written, and DamagedStore if it is damaged, because
  /// an added run might then be lost.
  void require_fit_to_add() const;
  /// The host time of all stored runs, by what they have in common.
  std::map<MeasuredRuns, MeasuredTime> host_seconds() const;

  enum class Column : std::uint8_t { workload, size, machine, version };
  /// The distinct values in a column, sorted.
  std::vector<std::string> distinct_values(Column column) const;
  /// Visits the sound runs, ordered by workload, size, machine and time. Returns the keys of the
  /// damaged ones.
  std::vector<std::string> for_each(const RunFilter& filter,
                                    const std::function<void(const StoredRun&)>& visit) const;
  /// The only run whose key begins with `key_prefix`. Throws InputError if there is none or there
  /// are several, and DamagedRun if the run is damaged.
  StoredRun find(std::string_view key_prefix) const;
  /// Removes the selected runs, damaged ones too; returns their number.
  std::uint64_t remove(const RunFilter& filter);
  /// Rebuilds the store from its sound runs and returns the number of runs removed. If the file is
  /// damaged elsewhere, throws DamagedStore and changes nothing.
  std::uint64_t remove_damaged();

  /// What check() finds.
  struct Health {
    std::vector<std::string> file_problems{};  ///< Messages of SQLite's integrity check.
    std::uint64_t sound_runs = 0;
    std::uint64_t runs_without_checksum = 0;  ///< Sound runs that an older Heddle stored.
    std::vector<std::string> damaged_keys{};  ///< Keys of the damaged runs.
  };
  Health check() const;

 private:
  void prepare_file(Access access);
  bool is_empty() const;
  void read_schema();
  bool has_checksums() const;
  void rebuild(bool with_damaged);
  void insert(const StoredRun& run, const std::string& checksum);
  std::vector<std::string> file_problems() const;
  void require_sound_file() const;
  std::string select() const;

  Database database_;
  std::int64_t schema_ = 0;  ///< The schema version of the table that is read.
};

}  // namespace heddle::lab
