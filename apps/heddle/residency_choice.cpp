#include "residency_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"

namespace heddle {
namespace {

/// Null for a kernel that the workload does not declare.
const workload::KernelDeclaration* find_declaration(
    const std::vector<workload::KernelDeclaration>& kernels, std::string_view kernel) {
  const auto declaration =
      std::find_if(kernels.begin(), kernels.end(),
                   [&](const workload::KernelDeclaration& known) { return known.name == kernel; });
  return declaration == kernels.end() ? nullptr : &*declaration;
}

}  // namespace

void check_register_choice(const lab::RegisterChoice& choice, std::string_view workload,
                           const std::vector<workload::KernelDeclaration>& kernels) {
  if (choice.source != lab::RegisterChoice::Source::paper) return;
  const bool any = std::any_of(kernels.begin(), kernels.end(),
                               [](const auto& kernel) { return kernel.paper.has_value(); });
  if (!any) {
    throw InputError(fmt::format(
        "--registers paper: no paper states the registers of '{}'; choose 'compiled' or "
        "a number",
        workload));
  }
}

std::uint32_t registers_for_residency(const lab::RegisterChoice& choice, std::uint32_t compiled,
                                      const std::optional<workload::PaperResources>& paper) {
  switch (choice.source) {
    case lab::RegisterChoice::Source::given:
      return choice.count;
    case lab::RegisterChoice::Source::paper:
      return paper ? paper->registers_per_thread : compiled;
    case lab::RegisterChoice::Source::compiled:
      break;
  }
  return compiled;
}

std::uint32_t registers_for_residency(const lab::RegisterChoice& choice,
                                      const workload::KernelResult& kernel) {
  return registers_for_residency(choice, kernel.registers_per_thread, kernel.paper);
}

std::function<std::uint32_t(const code::FunctionInfo&)> residency_registers_by_kernel(
    const lab::RegisterChoice& choice, const std::vector<workload::KernelDeclaration>& kernels) {
  return [choice, &kernels](const code::FunctionInfo& kernel) {
    const workload::KernelDeclaration* declaration = find_declaration(kernels, kernel.name);
    return registers_for_residency(choice, kernel.registers_per_thread,
                                   declaration == nullptr ? std::nullopt : declaration->paper);
  };
}

code::CompileOptions compile_options_for(const gpu::Machine& machine,
                                         const std::vector<workload::KernelDeclaration>& kernels) {
  code::CompileOptions options = machine.compile_options();
  options.register_limit_of_kernel = [&machine, &kernels](std::string_view kernel) {
    const workload::KernelDeclaration* declaration = find_declaration(kernels, kernel);
    return machine.max_registers(declaration == nullptr ? 1 : declaration->block.count());
  };
  return options;
}

}  // namespace heddle
