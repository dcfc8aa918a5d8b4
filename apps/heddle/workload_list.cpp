#include "workload_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <stdexcept>

#include "code/compile.h"
#include "device/loaded_module.h"
#include "workload/workload.h"

namespace heddle {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows with_heading() {
  return {
      {"WORKLOAD", "KERNELS", "BLOCK", "REGISTERS", "SHARED", "GRIDS", "PAPERS", "DESCRIPTION"}};
}

std::string range(const std::set<std::uint32_t>& values) {
  return values.size() == 1 ? std::to_string(*values.begin())
                            : fmt::format("{}-{}", *values.begin(), *values.rbegin());
}

/// The cells of a workload's row.
std::vector<std::string> row_of(const workload::Workload& workload) {
  constexpr code::MultiplyAdd kForm = code::MultiplyAdd::fused;
  const code::Program program = code::compile(device::parse_all(
      {{.file = ptx_file_of(workload, kForm), .text = std::string(ptx_of(workload, kForm))}}));
  std::vector<std::string> blocks;
  std::set<std::uint32_t> registers;
  std::set<std::uint32_t> shared;
  for (const workload::KernelDeclaration& kernel : workload.kernels) {
    const std::string block = to_text(kernel.block);
    if (std::find(blocks.begin(), blocks.end(), block) == blocks.end()) blocks.push_back(block);
    const code::FunctionInfo* info = program.find_kernel(kernel.name);
    if (info == nullptr) {
      throw std::logic_error(workload.name +
                             " declares a kernel that its PTX lacks: " + kernel.name);
    }
    registers.insert(info->registers_per_thread);
    shared.insert(info->shared_bytes);
  }
  return {workload.name,
          std::to_string(workload.kernels.size()),
          fmt::format("{}", fmt::join(blocks, " ")),
          range(registers),
          range(shared),
          workload.resident ? "input, resident" : "input",
          fmt::format("{}", fmt::join(workload.papers, ", ")),
          workload.summary};
}

/// The cells of a program of a suite that is not a workload.
std::vector<std::string> row_of_absent(const lab::SuiteProgram& program) {
  const std::string& name = program.workload_name;
  return {name.empty() ? "-" : name,
          "-",
          "-",
          "-",
          "-",
          "-",
          "-",
          fmt::format("{}: {}", program.paper_name, program.why_absent())};
}

}  // namespace

Rows rows_of_workloads() {
  Rows rows = with_heading();
  for (const workload::Workload* workload : workload::all_workloads()) {
    rows.push_back(row_of(*workload));
  }
  return rows;
}

Rows rows_of_workloads(const lab::Suite& suite) {
  Rows rows = with_heading();
  for (const lab::SuiteProgram& program : suite.programs) {
    const bool is_workload = program.workload != nullptr;
    rows.push_back(is_workload ? row_of(*program.workload) : row_of_absent(program));
  }
  return rows;
}

}  // namespace heddle
