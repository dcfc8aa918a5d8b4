#pragma once

// Results of runs, in an SQLite file, each under the key of what determines it, with a checksum.
// Several processes may use one file; a process that is killed leaves whole results or none.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/sqlite.h"
#include "lab/stored_run.h"

namespace heddle::lab {

/// Which runs are meant: those that everything set here applies to.
struct RunFilter {
  std::string workload{};
  std::string size{};
  std::string machine{};
  std::string version{};
  std::optional<std::int64_t> stored_before{};
};

/// The run that is asked for is there, and something in it has changed since it was stored.
class DamagedRun : public InputError {
 public:
  using InputError::InputError;
};

using WorkloadAndSize = std::pair<std::string, std::string>;

class Store {
 public:
  /// Throws InputError where the file is none of ours, of a newer Heddle, or damaged. One of an
  /// older Heddle gets its checksums when it is opened to be changed; what of it cannot be read is
  /// damaged then. What changes it throws ReadOnlyStore where it cannot be written.
  Store(std::string file, Access access);

  const std::string& file() const { return database_.file(); }

  enum class State : std::uint8_t { missing, sound, damaged };
  struct Found {
    State state = State::missing;
    StoredRun run{};  ///< Of a sound one.
  };
  Found look_up(std::string_view key) const;
  /// Whether it is there and sound.
  bool contains(std::string_view key) const { return look_up(key).state == State::sound; }
  /// A sound run that is there already stays as it is: it has the same result. A damaged one is
  /// replaced.
  void add(const StoredRun& run);
  /// Throws ReadOnlyStore, or DamagedStore: what is stored now might not be found again.
  void require_fit_to_add() const;
  /// What the last run of each workload in each size took, on whatever machine.
  std::map<WorkloadAndSize, double> host_seconds() const;

  enum class Column : std::uint8_t { workload, size, machine, version };
  /// What stands in a column, each once.
  std::vector<std::string> names(Column column) const;
  /// Sound runs, by workload, size, machine and time. Returns the keys of the damaged ones.
  std::vector<std::string> for_each(const RunFilter& filter,
                                    const std::function<void(const StoredRun&)>& look) const;
  /// The one whose key begins so. Throws InputError where there is none, or several, and
  /// DamagedRun.
  StoredRun find(std::string_view key_begin) const;
  std::uint64_t remove(const RunFilter& filter);
  /// Makes the store anew of what is sound in it; returns how many runs are gone. Throws
  /// DamagedStore, and changes nothing, where the file is damaged elsewhere.
  std::uint64_t remove_damaged();

  struct Health {
    std::vector<std::string> file_problems{};  ///< As SQLite has them.
    std::uint64_t sound = 0;
    std::uint64_t without_checksum = 0;  ///< Of the sound ones: stored by an older Heddle.
    std::vector<std::string> damaged{};  ///< Keys.
  };
  Health check() const;

 private:
  void prepare_file(Access access);
  bool is_empty() const;
  void read_schema();
  bool has_checksums() const;
  void make_anew(bool with_damaged);
  void insert(const StoredRun& run, const std::string& checksum);
  std::vector<std::string> file_problems() const;
  void require_sound_file() const;
  std::string select() const;

  Database database_;
  std::int64_t schema_ = 0;  ///< Of the table that is read.
};

}  // namespace heddle::lab
