#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "code/compile.h"
#include "device/loaded_module.h"
#include "verbs/verbs.h"
#include "workload/workload.h"

namespace heddle {
namespace {

std::string range(const std::set<std::uint32_t>& values) {
  return values.size() == 1 ? std::to_string(*values.begin())
                            : fmt::format("{}-{}", *values.begin(), *values.rbegin());
}

/// What of a workload is told in the list, in the order of its columns.
std::vector<std::string> row_of(const workload::Workload& workload) {
  const code::Program program = code::compile(
      device::parse_all({{.file = workload.name, .text = std::string(ptx_of(workload))}}));
  std::vector<std::string> blocks;
  std::set<std::uint32_t> registers;
  std::set<std::uint32_t> shared;
  for (const workload::KernelShape& kernel : workload.kernels) {
    const std::string block = to_text(kernel.block);
    if (std::find(blocks.begin(), blocks.end(), block) == blocks.end()) blocks.push_back(block);
    const code::FunctionInfo* info = program.find_kernel(kernel.name);
    if (info == nullptr) {
      throw std::logic_error(workload.name + " declares a kernel that it has not: " + kernel.name);
    }
    registers.insert(info->registers_per_thread);
    shared.insert(info->shared_bytes);
  }
  return {workload.name,
          std::to_string(workload.kernels.size()),
          fmt::format("{}", fmt::join(blocks, " ")),
          range(registers),
          range(shared),
          fmt::format("{}", fmt::join(workload.papers, ", ")),
          workload.summary};
}

void list_workloads() {
  std::vector<std::vector<std::string>> rows{
      {"WORKLOAD", "KERNELS", "BLOCK", "REGISTERS", "SHARED", "PAPERS", "WHAT IT IS"}};
  for (const workload::Workload* workload : workload::all_workloads()) {
    rows.push_back(row_of(*workload));
  }
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) fmt::print("{:{}}  ", row[i], widths[i]);
    fmt::print("{}\n", row.back());
  }
}

}  // namespace

void add_list(CLI::App& app, ExitCode&) {
  CLI::App* verb = app.add_subcommand("list", "Show what there is by name");
  verb->require_subcommand(1);
  CLI::App* workloads = verb->add_subcommand(
      "workloads",
      "The programs that 'heddle run' knows: threads in a block, registers a thread "
      "and bytes of static shared memory a block of their kernels, and who used them");
  workloads->callback(list_workloads);
}

}  // namespace heddle
