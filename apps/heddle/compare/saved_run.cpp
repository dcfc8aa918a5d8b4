#include "compare/saved_run.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"

namespace heddle {
namespace {

using nlohmann::json;

/// The numbers of an object, by name.
std::map<std::string, double> numbers_of(const json& object) {
  std::map<std::string, double> numbers;
  for (const auto& [name, value] : object.items()) numbers[name] = value.get<double>();
  return numbers;
}

SavedCounts counts_of(const json& kernel) {
  SavedCounts counts;
  counts.cycles = kernel.at("cycles").get<double>();
  counts.warp_instructions = kernel.at("warp_instructions").get<double>();
  if (kernel.contains("energy")) counts.joules = kernel["energy"].at("total_joules").get<double>();
  counts.counters = numbers_of(kernel.at("counters"));
  counts.issue_slots = numbers_of(kernel.at("issue_slots").at("nsight"));
  return counts;
}

std::string kernel_name(const json& kernel) {
  std::string block;
  // Trailing ones of a block's size are not shown.
  for (const json& size : kernel.at("block")) {
    block += fmt::format("{}{}", block.empty() ? "" : "x", size.get<std::uint64_t>());
  }
  while (block.ends_with("x1")) block.resize(block.size() - 2);
  return fmt::format("{}, blocks of {}", kernel.at("name").get<std::string>(), block);
}

/// The text of a value: a string without quotes.
std::string text_of(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string program_of(const json& run) {
  if (run.contains("program")) return text_of(run["program"]);  // of 'heddle cuda'
  if (!run.contains("workload")) return "a kernel";             // of 'heddle exec'
  std::string program = text_of(run["workload"]);
  for (const char* name : {"size", "seed", "grid", "registers"}) {
    if (run.contains(name)) program += fmt::format(", {} {}", name, text_of(run[name]));
  }
  return program;
}

SavedRun parse(const json& run, const std::string& file) {
  SavedRun saved;
  saved.file = file;
  saved.program = program_of(run);
  saved.parameters["machine"] = text_of(run.at("machine").at("name"));
  for (const auto& [name, value] : run["machine"].at("parameters").items()) {
    saved.parameters[name] = text_of(value);
  }
  saved.all = counts_of(run.at("totals"));
  for (const json& kernel : run.at("kernels")) {
    saved.kernels.push_back(counts_of(kernel));
    saved.kernels.back().name = kernel_name(kernel);
  }
  return saved;
}

/// The run within the output of 'heddle results show'; else the object itself.
const json& run_within(const json& object) {
  return object.is_object() && object.contains("result") ? object["result"] : object;
}

}  // namespace

SavedRun read_saved_run(const std::string& file) {
  try {
    const json object = json::parse(read_file(file));
    const json& run = run_within(object);
    if (!run.is_object() || !run.contains("kernels")) {
      throw InputError(fmt::format("{}: is no result of 'heddle run', 'exec' or 'cuda'", file));
    }
    if (!run.contains("totals")) {
      throw InputError(
          fmt::format("{}: has no cycles: only results of timed runs can be compared", file));
    }
    return parse(run, file);
  } catch (const json::exception& error) {
    throw InputError(fmt::format("{}: is no result of Heddle: {}", file, error.what()));
  }
}

}  // namespace heddle
