#pragma once

#include "cli_app.h"
#include "lab/store.h"

namespace heddle {

/// Declares --workload, --size and --machine.
void add_filter(CLI::App& verb, lab::RunFilter& filter);
/// Throws InputError for a name that neither Heddle nor the store knows. The message suggests the
/// nearest known name.
void check_filter(const lab::RunFilter& filter, const lab::Store& store);

}  // namespace heddle
