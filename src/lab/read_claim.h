#pragma once

#include "config/toml_table.h"
#include "lab/experiment.h"

namespace heddle::lab {

/// Reads the [[claim]] tables of an experiment. The experiment's rows, variants and metric must
/// have been read before. Throws InputError with the position of a mistake.
std::vector<Claim> read_claims(const config::TomlTable& top, const Experiment& experiment);

}  // namespace heddle::lab
