#include "program_registers.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>

#include "base/error.h"

namespace heddle {
namespace {

struct KernelOfProgram {
  const workload::KernelShape* shape = nullptr;
  std::optional<std::uint32_t> registers{};  ///< That its program is to have.
};

KernelOfProgram find_kernel(const std::vector<ProgramChoice>& programs, std::string_view kernel) {
  for (const ProgramChoice& program : programs) {
    for (const workload::KernelShape& shape : program.workload->kernels_for(program.grid)) {
      if (shape.name == kernel) return {.shape = &shape, .registers = program.registers};
    }
  }
  return {};
}

/// 0: as compiled.
std::uint32_t registers_of(const workload::KernelShape& shape, const ProgramChoice& program,
                           const lab::Registers& choice) {
  if (program.registers) return *program.registers;
  const bool is_papers = choice.source == lab::Registers::Source::paper && shape.paper;
  return is_papers ? shape.paper->registers_per_thread : 0;
}

/// Throws InputError where papers' figures are asked for and there are none, or kernels that are
/// called alike would have different registers.
void check_registers(const std::vector<ProgramChoice>& programs, const lab::Registers& choice) {
  std::map<std::string, std::uint32_t> known;
  for (const ProgramChoice& program : programs) {
    const std::vector<workload::KernelShape>& kernels = program.workload->kernels_for(program.grid);
    if (!program.registers) check_register_choice(choice, program.workload->name, kernels);
    for (const workload::KernelShape& kernel : kernels) {
      const std::uint32_t registers = registers_of(kernel, program, choice);
      const auto [other, is_new] = known.emplace(kernel.name, registers);
      if (is_new || other->second == registers) continue;
      throw InputError(fmt::format(
          "two programs have a kernel '{}', which would be resident with different registers",
          kernel.name));
    }
  }
}

}  // namespace

std::function<std::uint32_t(const code::FunctionInfo&)> registers_of_programs(
    const lab::Registers& choice, const std::vector<ProgramChoice>& programs) {
  check_registers(programs, choice);
  return [choice, programs](const code::FunctionInfo& kernel) {
    const KernelOfProgram found = find_kernel(programs, kernel.name);
    if (found.registers) return *found.registers;
    return registers_for_residency(choice, kernel.registers_per_thread,
                                   found.shape == nullptr ? std::nullopt : found.shape->paper);
  };
}

}  // namespace heddle
