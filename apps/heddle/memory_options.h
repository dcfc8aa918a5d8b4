#pragma once

// The options of device memory, which several verbs share.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli_app.h"
#include "device/device.h"
#include "exec/memory/memory_options.h"

namespace heddle {

/// As they were given; empty where they were not.
struct MemoryChoice {
  std::string device_memory;
  std::string allocation_gap;
  std::string out_of_bounds;
};

/// Declares --device-memory and --allocation-gap.
void add_memory_options(CLI::App& verb, MemoryChoice& choice);
/// Declares --out-of-bounds.
void add_out_of_bounds_option(CLI::App& verb, MemoryChoice& choice);
/// Throws InputError.
exec::MemoryOptions parse_memory_options(const MemoryChoice& choice);
/// Notes in a result what was chosen; nothing where nothing was.
void add_memory(nlohmann::ordered_json& json, const MemoryChoice& choice);

/// What was let pass outside of allocations, a line each; empty where nothing was.
std::string strays_text(const std::vector<device::StrayPlace>& strays);
/// The same in a result.
void add_strays(nlohmann::ordered_json& json, const std::vector<device::StrayPlace>& strays);

}  // namespace heddle
