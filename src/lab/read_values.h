#pragma once

// What several tables of an experiment's file have in common.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/experiment.h"
#include "lab/toml_table.h"

namespace heddle::lab {

Metric read_metric(const TomlTable& table, std::string_view key);
/// Of what is relative to this variant, to nothing where it is empty. Where the table has no
/// "mean" it is `otherwise`, if given, or as is usual.
Mean read_mean(const TomlTable& table, const std::string& relative_to,
               std::optional<Mean> otherwise = {});

bool has_row(const Experiment& experiment, std::string_view label);
bool has_variant(const Experiment& experiment, std::string_view name);
/// Throw InputError, naming the nearest, with the place of `key`.
void require_row(const TomlTable& table, std::string_view key, const Experiment& experiment,
                 std::string_view label);
void require_variant(const TomlTable& table, std::string_view key, const Experiment& experiment,
                     std::string_view name);

}  // namespace heddle::lab
