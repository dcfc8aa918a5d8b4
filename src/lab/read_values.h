#pragma once

// What several tables of an experiment's file have in common.

#include <string>
#include <string_view>
#include <vector>

#include "lab/experiment.h"
#include "lab/toml_table.h"

namespace heddle::lab {

Metric read_metric(const TomlTable& table, std::string_view key);
/// `otherwise` where the table has no "mean".
Mean read_mean(const TomlTable& table, Mean otherwise);
/// Of what is relative to something, or to nothing.
Mean usual_mean(const std::string& relative_to);

bool has_row(const Experiment& experiment, std::string_view label);
bool has_variant(const Experiment& experiment, std::string_view name);
/// Throw InputError, naming the nearest, with the place of `key`.
void require_row(const TomlTable& table, std::string_view key, const Experiment& experiment,
                 std::string_view label);
void require_variant(const TomlTable& table, std::string_view key, const Experiment& experiment,
                     std::string_view name);

}  // namespace heddle::lab
