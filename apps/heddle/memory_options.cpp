#include "memory_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "exec_argument.h"

namespace heddle {
namespace {

exec::OutOfBounds parse_out_of_bounds(const std::string& text) {
  if (text == "fault") return exec::OutOfBounds::fault;
  if (text == "pages") return exec::OutOfBounds::pages;
  throw InputError(
      fmt::format("--out-of-bounds: unknown choice '{}'; choose one of: fault, pages", text));
}

std::string counts_text(const exec::StrayCount& count) {
  std::string text;
  const auto add = [&](std::uint64_t number, const char* noun) {
    if (number != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", number, noun);
  };
  add(count.loads, "loads");
  add(count.stores, "stores");
  add(count.atomics, "atomic operations");
  return text;
}

}  // namespace

void add_memory_options(CLI::App& verb, MemoryChoice& choice) {
  verb.add_option(
          "--device-memory", choice.device_memory,
          "Size of device memory, with an optional suffix K, M or G (default 16G). Twice as "
          "much address space of the host is reserved; if the host limits address space, the "
          "default is smaller")
      ->type_name("BYTES");
  verb.add_option(
          "--allocation-gap", choice.allocation_gap,
          "Largest gap of invalid addresses after an allocation (default 64K). Each gap is as "
          "large as its allocation, but not larger than this. The option changes addresses, "
          "and with them cycles")
      ->type_name("BYTES");
}

void add_out_of_bounds_option(CLI::App& verb, MemoryChoice& choice) {
  verb.add_option(
          "--out-of-bounds", choice.out_of_bounds,
          "What accesses outside of every allocation do: 'fault' (default); with 'pages' they "
          "succeed, as on a GPU, if their page of 2 MB contains an allocation or if they are "
          "within "
          "the 128 bytes in which the block's shared memory ends, and are counted and reported")
      ->type_name("fault|pages");
}

exec::MemoryOptions parse_memory_options(const MemoryChoice& choice) {
  exec::MemoryOptions options;
  if (!choice.device_memory.empty()) {
    options.capacity = parse_bytes("--device-memory", choice.device_memory);
    if (options.capacity == 0) throw InputError("--device-memory: must be at least 1 byte");
  }
  if (!choice.allocation_gap.empty()) {
    constexpr std::uint64_t kMaxGap = std::uint64_t{1} << 30;
    options.gap = parse_bytes("--allocation-gap", choice.allocation_gap);
    if (options.gap > kMaxGap) throw InputError("--allocation-gap: must be at most 1G");
  }
  if (!choice.out_of_bounds.empty()) {
    options.out_of_bounds = parse_out_of_bounds(choice.out_of_bounds);
  }
  return options;
}

std::string strays_text(const std::vector<device::StrayInstruction>& strays) {
  if (strays.empty()) return "";
  std::string text = "accesses outside of every allocation\n";
  for (const device::StrayInstruction& stray : strays) {
    text += fmt::format("  {} at {}, in kernel '{}'\n", counts_text(stray.count), stray.place,
                        stray.kernel);
  }
  return text;
}

void add_memory(nlohmann::ordered_json& json, const MemoryChoice& choice) {
  const exec::MemoryOptions options = parse_memory_options(choice);
  nlohmann::ordered_json memory;
  if (!choice.device_memory.empty()) memory["bytes"] = options.capacity;
  if (!choice.allocation_gap.empty()) memory["allocation_gap"] = options.gap;
  if (!choice.out_of_bounds.empty()) memory["out_of_bounds"] = choice.out_of_bounds;
  if (!memory.is_null()) json["device_memory"] = std::move(memory);
}

void add_strays(nlohmann::ordered_json& json, const std::vector<device::StrayInstruction>& strays) {
  if (strays.empty()) return;
  nlohmann::ordered_json& list = json["out_of_bounds_accesses"] = nlohmann::ordered_json::array();
  for (const device::StrayInstruction& stray : strays) {
    list.push_back({{"kernel", stray.kernel},
                    {"place", stray.place},
                    {"loads", stray.count.loads},
                    {"stores", stray.count.stores},
                    {"atomics", stray.count.atomics}});
  }
}

}  // namespace heddle
