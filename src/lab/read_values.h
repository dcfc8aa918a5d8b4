#pragma once

// Readers and checks that several tables of an experiment's file share.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/toml_table.h"
#include "lab/experiment.h"

namespace heddle::lab {

/// The value of "size"; empty if the table has none.
std::optional<workload::Size> read_size(const config::TomlTable& table);
Metric read_metric(const config::TomlTable& table, std::string_view key);
/// The value of "mean". `relative_to` is the variant that the values are divided by, or empty. If
/// the table has no "mean", returns `default_mean`. If that is empty, returns the geometric mean
/// for relative values and the arithmetic mean for others.
Mean read_mean(const config::TomlTable& table, const std::string& relative_to,
               std::optional<Mean> default_mean = {});

/// The tables of the readings that an experiment gives for all its claims, which change either the
/// mean or the settings. Throws InputError if one changes neither or both.
std::vector<config::TomlTable> read_common_readings(const config::TomlTable& top);

bool has_row(const Experiment& experiment, std::string_view label);
bool has_variant(const Experiment& experiment, std::string_view name);
/// These functions throw InputError with the position of `key` and a suggestion if the name is
/// unknown.
void require_row(const config::TomlTable& table, std::string_view key, const Experiment& experiment,
                 std::string_view label);
void require_variant(const config::TomlTable& table, std::string_view key,
                     const Experiment& experiment, std::string_view name);

}  // namespace heddle::lab
