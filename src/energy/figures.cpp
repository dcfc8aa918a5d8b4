#include "energy/figures.h"

#include <fmt/format.h>

#include <optional>

namespace heddle::energy {

using config::TomlTable;

void require_within(const TomlTable& table, std::string_view key, double value, double least,
                    double most) {
  if (value >= least && value <= most) return;
  table.fail(key, fmt::format("'{}' must be a number from {} to {}", key, least, most));
}

double read_figure(const TomlTable& table, std::string_view key) {
  const std::optional<double> value = table.number(key);
  if (!value) table.fail(key, fmt::format("'{}' is missing", key));
  return *value;
}

double read_share(const TomlTable& table, std::string_view key) {
  const double value = read_figure(table, key);
  require_within(table, key, value, 0, 1);
  return value;
}

}  // namespace heddle::energy
