#pragma once

// The options of device memory, which several verbs share.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli_app.h"
#include "device/device.h"
#include "exec/memory/memory_options.h"

namespace heddle {

/// The values of the options as texts; empty: not given.
struct MemoryChoice {
  std::string device_memory;
  std::string allocation_gap;
  std::string out_of_bounds;
};

/// Declares --device-memory and --allocation-gap.
void add_memory_options(CLI::App& verb, MemoryChoice& choice);
/// Declares --out-of-bounds.
void add_out_of_bounds_option(CLI::App& verb, MemoryChoice& choice);
/// The given options; defaults for the others. Throws InputError for a wrong value.
exec::MemoryOptions parse_memory_options(const MemoryChoice& choice);
/// Adds to a result the memory options that were given. Adds nothing if none was given.
void add_memory(nlohmann::ordered_json& json, const MemoryChoice& choice);

/// Lists the stray accesses, which were outside of every allocation and did not fault: one line for
/// each place in the code. Empty if there were none.
std::string strays_text(const std::vector<device::StrayInstruction>& strays);
/// Adds the stray accesses to a result as JSON. Adds nothing if there were none.
void add_strays(nlohmann::ordered_json& json, const std::vector<device::StrayInstruction>& strays);

}  // namespace heddle
