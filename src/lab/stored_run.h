#pragma once

// A stored run, and the checksum that detects changes to it.

#include <cstdint>
#include <string>

#include "lab/sqlite.h"

namespace heddle::lab {

struct StoredRun {
  std::string key;
  std::string workload;
  std::string size;
  std::string seed;
  std::string registers;
  std::string grid = "input";  ///< The name of a workload::GridChoice.
  std::string machine;         ///< The machine's name in the experiment that stored the run.
  std::string parameters;      ///< The machine's parameters, one per line.
  std::string version;  ///< The result of Sources::version_of() for the machine (lab/sources.h).
  std::int64_t stored_at = 0;  ///< Seconds since 1970, UTC.
  double host_seconds = 0;     ///< Simulation time on the host.
  std::string result;          ///< The output of `heddle run --json`, without "host".
};

/// The columns of a row, in the order in which they are read and written. The checksum follows
/// them.
inline constexpr const char* kRunColumns =
    "key, workload, size, seed, registers, grid, machine, parameters, version, stored_at, "
    "host_seconds, "
    "result";

/// The SHA-256 of a text that has a line for each column: the length of the column's text, and the
/// text. The default grid ("input") has no line, so that checksums from before the grid column stay
/// valid.
std::string checksum_of(const StoredRun& run);

/// Binds the columns and the checksum to the parameters ?1 to ?13.
void bind(Statement& statement, const StoredRun& run, const std::string& checksum);
/// Reads a row that consists of the columns and the checksum. Does not verify the checksum.
StoredRun run_of(const Statement& row);
/// Whether the row is unchanged since it was stored. A row without checksum (NULL) is sound if its
/// result can be read.
bool is_sound(const Statement& row, const StoredRun& run);

}  // namespace heddle::lab
