#include "program_registers.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>

#include "base/error.h"

namespace heddle {
namespace {

struct KernelOfProgram {
  const workload::KernelDeclaration* declaration = nullptr;
  std::optional<std::uint32_t> registers{};  ///< Given with the program's name; empty: not given.
};

/// The first kernel of this name; without a declaration if no program has one.
KernelOfProgram find_kernel(const std::vector<ProgramChoice>& programs, std::string_view kernel) {
  for (const ProgramChoice& program : programs) {
    for (const workload::KernelDeclaration& declaration :
         program.workload->kernels_for(program.grid)) {
      if (declaration.name == kernel)
        return {.declaration = &declaration, .registers = program.registers};
    }
  }
  return {};
}

/// The registers per thread that the program's name or a paper states for a kernel; 0 if neither
/// applies, so that the kernel has the registers of `choice`.
std::uint32_t registers_of(const workload::KernelDeclaration& declaration,
                           const ProgramChoice& program, const lab::RegisterChoice& choice) {
  if (program.registers) return *program.registers;
  const bool has_paper_registers =
      choice.source == lab::RegisterChoice::Source::paper && declaration.paper;
  return has_paper_registers ? declaration.paper->registers_per_thread : 0;
}

/// Throws InputError in the cases that registers_of_programs() describes.
void check_registers(const std::vector<ProgramChoice>& programs,
                     const lab::RegisterChoice& choice) {
  std::map<std::string, std::uint32_t> registers_of_kernels;
  for (const ProgramChoice& program : programs) {
    const std::vector<workload::KernelDeclaration>& kernels =
        program.workload->kernels_for(program.grid);
    if (!program.registers) check_register_choice(choice, program.workload->name, kernels);
    for (const workload::KernelDeclaration& kernel : kernels) {
      const std::uint32_t registers = registers_of(kernel, program, choice);
      const auto [earlier, is_new] = registers_of_kernels.emplace(kernel.name, registers);
      if (is_new || earlier->second == registers) continue;
      throw InputError(fmt::format(
          "two programs have a kernel '{}' with different registers; give both the same registers",
          kernel.name));
    }
  }
}

}  // namespace

std::function<std::uint32_t(const code::FunctionInfo&)> registers_of_programs(
    const lab::RegisterChoice& choice, const std::vector<ProgramChoice>& programs) {
  check_registers(programs, choice);
  return [choice, programs](const code::FunctionInfo& kernel) {
    const KernelOfProgram found = find_kernel(programs, kernel.name);
    if (found.registers) return *found.registers;
    return registers_for_residency(
        choice, kernel.registers_per_thread,
        found.declaration == nullptr ? std::nullopt : found.declaration->paper);
  };
}

}  // namespace heddle
