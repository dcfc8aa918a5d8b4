#pragma once

#include "config/toml_table.h"
#include "lab/experiment.h"

namespace heddle::lab {

/// Adds the readings (interpretations of the paper's words) that change the machine's settings:
/// tables [[reading]] with `set`. Each applies to every claim. Hidden copies of the claims'
/// variants run with these settings.
void read_readings_with_settings(const config::TomlTable& top, Experiment& experiment);

}  // namespace heddle::lab
