#include "lab/stored_run.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "base/error.h"
#include "lab/measures.h"
#include "lab/sha256.h"

namespace heddle::lab {
namespace {

constexpr int kColumnCount = 12;

/// Whether each column has its declared type. A text whose type changed to blob keeps its bytes,
/// but compares equal to no text in a query.
bool has_declared_types(const Statement& row) {
  using enum ColumnType;
  constexpr std::array<ColumnType, kColumnCount> kTypes{text, text, text, text,    text, text,
                                                        text, text, text, integer, real, text};
  for (int column = 0; column < kColumnCount; ++column) {
    if (row.type(column) != kTypes[static_cast<std::size_t>(column)]) return false;
  }
  return true;
}

bool can_be_read(const std::string& result) {
  try {
    Measures::from_result(result);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

std::string checksum_of(const StoredRun& run) {
  std::string text;
  const auto add = [&](std::string_view value) {
    text += fmt::format("{} {}\n", value.size(), value);
  };
  for (const std::string* const value :
       {&run.key, &run.workload, &run.size, &run.seed, &run.registers, &run.machine,
        &run.parameters, &run.version}) {
    add(*value);
  }
  if (run.grid != "input") add(run.grid);
  add(fmt::format("{}", run.stored_at));
  add(fmt::format("{:.17g}", run.host_seconds));
  add(run.result);
  return sha256(text);
}

void bind(Statement& statement, const StoredRun& run, const std::string& checksum) {
  statement.bind(1, run.key)
      .bind(2, run.workload)
      .bind(3, run.size)
      .bind(4, run.seed)
      .bind(5, run.registers)
      .bind(6, run.grid)
      .bind(7, run.machine)
      .bind(8, run.parameters)
      .bind(9, run.version)
      .bind(10, run.stored_at)
      .bind(11, run.host_seconds)
      .bind(12, run.result)
      .bind(13, checksum);
}

StoredRun run_of(const Statement& row) {
  return {.key = row.text(0),
          .workload = row.text(1),
          .size = row.text(2),
          .seed = row.text(3),
          .registers = row.text(4),
          .grid = row.text(5),
          .machine = row.text(6),
          .parameters = row.text(7),
          .version = row.text(8),
          .stored_at = row.integer(9),
          .host_seconds = row.real(10),
          .result = row.text(11)};
}

bool is_sound(const Statement& row, const StoredRun& run) {
  if (!has_declared_types(row)) return false;
  if (row.type(kColumnCount) == ColumnType::null) return can_be_read(run.result);
  return row.text(kColumnCount) == checksum_of(run);
}

}  // namespace heddle::lab
