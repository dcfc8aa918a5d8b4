#pragma once

#include "config/toml_table.h"
#include "lab/experiment.h"

namespace heddle::lab {

/// The [[claim]]s of an experiment whose rows, variants and metric have been read. Throws
/// InputError with the place for what is not right in them.
std::vector<Claim> read_claims(const config::TomlTable& top, const Experiment& experiment);

}  // namespace heddle::lab
