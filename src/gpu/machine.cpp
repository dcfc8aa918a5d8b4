#include "gpu/machine.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/nearest.h"
#include "config/description_file.h"
#include "gpu/dispatch/dispatcher.h"

namespace heddle::gpu {
namespace {

bool names_file(const std::string& name) {
  return name.ends_with(".toml") || name.find('/') != std::string::npos;
}

struct Source {
  std::string file;  ///< For messages.
  std::string text;
};

/// A name, or a file; that of a file is as seen from the folder of the one that names it.
Source find_source(const std::string& name, const std::string& named_by) {
  if (names_file(name)) {
    const std::filesystem::path path = named_by.empty()
                                           ? std::filesystem::path(name)
                                           : std::filesystem::path(named_by).parent_path() / name;
    return {path.string(), read_file(path.string())};
  }
  std::vector<std::string> names;
  for (const KnownMachine& machine : known_machines()) {
    if (machine.name == name) {
      return {fmt::format("machines/{}.toml", name), std::string(machine.text)};
    }
    names.emplace_back(machine.name);
  }
  throw InputError(fmt::format(
      "there is no machine '{}'{}; 'heddle list machines' shows all, and a description in a file "
      "is named with its .toml",
      name, suggestion(name, names)));
}

/// Reads what a description is based on, then the description itself.
void read_with_bases(const Source& source, const config::Declarations& parameters,
                     std::set<std::string>& under_way) {
  if (!under_way.insert(source.file).second) {
    throw InputError(fmt::format("{}: it is based on itself", source.file));
  }
  const config::Heading heading = config::read_heading(source.text, source.file);
  if (!heading.based_on.empty()) {
    read_with_bases(find_source(heading.based_on, source.file), parameters, under_way);
  }
  config::read_description(source.text, source.file, parameters);
}

}  // namespace

void ChipDescription::declare(config::Declarations& parameters) {
  parameters.number("sms", sms, {.least = 1, .most = 1024}, "streaming multiprocessors");
}

void ClockDescription::declare(config::Declarations& parameters) {
  const config::Domain domain{.unit = "MHz", .least = 1, .most = 100000};
  parameters.number("core_mhz", core_mhz, domain,
                    "of the multiprocessors and the L2; cycles are counted by it");
  parameters.number("interconnect_mhz", interconnect_mhz, domain, "of the crossbar's ports");
  parameters.number("dram_mhz", dram_mhz, domain, "of the memory's commands");
}

void DispatchDescription::declare(config::Declarations& parameters) {
  parameters.choice("policy", policy, DispatcherRegistry::names(),
                    "which multiprocessor gets the next block");
  parameters.number("latency", latency, {.unit = "cycles", .least = 1, .most = 1000000},
                    "from the launch, or the end of a block, to the begin of one in its place");
}

void Machine::declare(config::Declarations& parameters) {
  parameters.part("chip", chip);
  parameters.part("clock", clock);
  parameters.part("dispatch", dispatch);
  sm.declare(parameters);
  parameters.part("interconnect", interconnect);
  memory.declare(parameters);
}

void Machine::check() const {
  memory.check();
  sm.check();
  sm.memory.check(memory.memory.interleave_bytes);
  if (sm.memory.lsu.request_bytes > memory.block_bytes()) {
    throw InputError(fmt::format(
        "lsu.request_bytes is {}, but a partition of memory takes requests of at most {} bytes: a "
        "line of its L2, or what goes to DRAM at once",
        sm.memory.lsu.request_bytes, memory.block_bytes()));
  }
  if (dispatch.latency < interconnect.latency) {
    throw InputError(fmt::format(
        "dispatch.latency ({}) must not be below interconnect.latency ({}): the end of a block "
        "comes to the dispatcher, and the next one from it, through the chip",
        dispatch.latency, interconnect.latency));
  }
}

Machine load_machine(const std::string& name, const std::vector<std::string>& settings) {
  Machine machine;
  config::Declarations parameters;
  machine.declare(parameters);
  const Source source = find_source(name, {});
  std::set<std::string> under_way;
  read_with_bases(source, parameters, under_way);
  for (const std::string& setting : settings) config::assign(parameters, setting);
  machine.name = names_file(name) ? std::filesystem::path(name).stem().string() : name;
  machine.summary = config::read_heading(source.text, source.file).summary;
  machine.check();
  return machine;
}

}  // namespace heddle::gpu
