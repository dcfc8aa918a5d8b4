#pragma once

// What several tables of an experiment's file have in common.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/toml_table.h"
#include "lab/experiment.h"

namespace heddle::lab {

/// Empty where the table has none.
std::optional<workload::Size> read_size(const config::TomlTable& table);
Metric read_metric(const config::TomlTable& table, std::string_view key);
/// Of what is relative to this variant, to nothing where it is empty. Where the table has no
/// "mean" it is `otherwise`, if given, or as is usual.
Mean read_mean(const config::TomlTable& table, const std::string& relative_to,
               std::optional<Mean> otherwise = {});

bool has_row(const Experiment& experiment, std::string_view label);
bool has_variant(const Experiment& experiment, std::string_view name);
/// Throw InputError, naming the nearest, with the place of `key`.
void require_row(const config::TomlTable& table, std::string_view key, const Experiment& experiment,
                 std::string_view label);
void require_variant(const config::TomlTable& table, std::string_view key,
                     const Experiment& experiment, std::string_view name);

}  // namespace heddle::lab
