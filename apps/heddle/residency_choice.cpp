#include "residency_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"

namespace heddle {
namespace {

/// Null for a kernel of which the workload says nothing.
const workload::KernelShape* find_shape(const std::vector<workload::KernelShape>& kernels,
                                        std::string_view kernel) {
  const auto shape =
      std::find_if(kernels.begin(), kernels.end(),
                   [&](const workload::KernelShape& known) { return known.name == kernel; });
  return shape == kernels.end() ? nullptr : &*shape;
}

}  // namespace

void check_register_choice(const lab::Registers& choice, std::string_view workload,
                           const std::vector<workload::KernelShape>& kernels) {
  if (choice.source != lab::Registers::Source::paper) return;
  const bool any = std::any_of(kernels.begin(), kernels.end(),
                               [](const auto& kernel) { return kernel.paper.has_value(); });
  if (!any) {
    throw InputError(
        fmt::format("--registers paper: no paper gives the registers of '{}'", workload));
  }
}

std::uint32_t registers_for_residency(const lab::Registers& choice, std::uint32_t compiled,
                                      const std::optional<workload::PaperFigures>& paper) {
  switch (choice.source) {
    case lab::Registers::Source::given:
      return choice.count;
    case lab::Registers::Source::paper:
      return paper ? paper->registers_per_thread : compiled;
    case lab::Registers::Source::compiled:
      break;
  }
  return compiled;
}

std::uint32_t registers_for_residency(const lab::Registers& choice,
                                      const workload::KernelResult& kernel) {
  return registers_for_residency(choice, kernel.registers_per_thread, kernel.paper);
}

std::function<std::uint32_t(const code::FunctionInfo&)> registers_by_kernel(
    const lab::Registers& choice, const std::vector<workload::KernelShape>& kernels) {
  return [choice, &kernels](const code::FunctionInfo& kernel) {
    const workload::KernelShape* shape = find_shape(kernels, kernel.name);
    return registers_for_residency(choice, kernel.registers_per_thread,
                                   shape == nullptr ? std::nullopt : shape->paper);
  };
}

code::CompileOptions compile_options_for(const gpu::Machine& machine,
                                         const std::vector<workload::KernelShape>& kernels) {
  code::CompileOptions options = machine.compile_options();
  options.registers_of_kernel = [&machine, &kernels](std::string_view kernel) {
    const workload::KernelShape* shape = find_shape(kernels, kernel);
    return machine.most_registers(shape == nullptr ? 1 : shape->block.count());
  };
  return options;
}

}  // namespace heddle
