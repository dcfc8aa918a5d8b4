#pragma once

// A run as the store keeps it, and the checksum that tells whether all of it is as it was.

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
  std::string grid = "input";  ///< workload::GridShape
  std::string machine;         ///< As the first experiment that needed the run called it.
  std::string parameters;      ///< The machine's, a line each.
  std::string version;         ///< Of Heddle's sources that it used (lab/sources.h).
  std::int64_t stored_at = 0;  ///< Seconds since 1970, UTC.
  double host_seconds = 0;
  std::string result;  ///< As `heddle run --json` writes it, without "host".
};

/// Its columns, in the order in which a row is read and written; the checksum comes after them.
inline constexpr const char* kRunColumns =
    "key, workload, size, seed, registers, grid, machine, parameters, version, stored_at, "
    "host_seconds, "
    "result";

/// Over all of it: the SHA-256 of a line for each column, with its length before its text. The
/// usual grid has no line, as in stores from before there were others.
std::string checksum_of(const StoredRun& run);

void bind(Statement& statement, const StoredRun& run, const std::string& checksum);
/// Of a row of the columns and the checksum, whatever stands in it.
StoredRun run_of(const Statement& row);
/// Whether the row is as it was stored. Where the checksum is NULL there is none, and the result
/// has to be one that can be read.
bool is_sound(const Statement& row, const StoredRun& run);

}  // namespace heddle::lab
