#include "program_registers.h"

#include <fmt/format.h>

#include <map>
#include <string>

#include "base/error.h"

namespace heddle {
namespace {

/// What papers say of a kernel of that name.
const workload::KernelShape* find_shape(const std::vector<ProgramChoice>& programs,
                                        std::string_view kernel) {
  for (const ProgramChoice& program : programs) {
    for (const workload::KernelShape& shape : program.workload->kernels_for(program.grid)) {
      if (shape.name == kernel) return &shape;
    }
  }
  return nullptr;
}

std::uint32_t registers_of(const workload::KernelShape& shape) {
  return shape.paper ? shape.paper->registers_per_thread : 0;
}

}  // namespace

void check_registers(const std::vector<ProgramChoice>& programs, const RegisterChoice& choice) {
  if (choice.source != RegisterChoice::Source::paper) return;
  std::map<std::string, std::uint32_t> known;
  for (const ProgramChoice& program : programs) {
    const std::vector<workload::KernelShape>& kernels = program.workload->kernels_for(program.grid);
    check_register_choice(choice, program.workload->name, kernels);
    for (const workload::KernelShape& kernel : kernels) {
      const auto [other, is_new] = known.emplace(kernel.name, registers_of(kernel));
      if (is_new || other->second == registers_of(kernel)) continue;
      throw InputError(
          fmt::format("--registers paper: two programs have a kernel '{}', to which papers give "
                      "different registers",
                      kernel.name));
    }
  }
}

std::function<std::uint32_t(const code::FunctionInfo&)> registers_of_programs(
    const RegisterChoice& choice, const std::vector<ProgramChoice>& programs) {
  return [choice, programs](const code::FunctionInfo& kernel) {
    const workload::KernelShape* const shape = find_shape(programs, kernel.name);
    workload::KernelResult result;
    result.registers_per_thread = kernel.registers_per_thread;
    if (shape != nullptr) result.paper = shape->paper;
    return registers_for_residency(choice, result);
  };
}

}  // namespace heddle
