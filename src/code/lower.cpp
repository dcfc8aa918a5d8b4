#include <algorithm>
#include <set>
#include <utility>

#include "code/call_graph.h"
#include "code/compilation_unit.h"
#include "code/link.h"
#include "code/lowering/frame_plan.h"
#include "code/lowering/shared_layout.h"
#include "code/lowering/translator.h"

namespace heddle::code {
namespace {

void describe_parameters(const ptx::Module& module, const ptx::Function& function,
                         FunctionInfo& info) {
  const lowering::CallLayout layout =
      lowering::call_layout(module, function.parameters, function.returns);
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const ptx::Variable& variable = module.variables[function.parameters[i]];
    Parameter parameter;
    parameter.name = variable.name;
    parameter.offset = layout.parameters[i];
    parameter.size = static_cast<std::uint32_t>(variable.size);
    parameter.alignment = variable.alignment;
    parameter.type = variable.type;
    info.parameters.push_back(std::move(parameter));
  }
  info.parameter_bytes = static_cast<std::uint32_t>(layout.bytes);
}

/// Sets FunctionInfo::constant_bytes of each kernel: the size of its parameters, and of the
/// constant variables that it and the functions it can call use.
void count_constant_bytes(CompilationUnit& unit) {
  const CallGraph graph(unit);
  std::vector<std::set<std::uint32_t>> constants_used(unit.bodies.size());
  for (std::size_t f = 0; f < unit.bodies.size(); ++f) {
    for (const BasicBlock& block : unit.bodies[f].blocks) {
      for (const Instruction& instruction : block.instructions) {
        for (const Operand& operand : instruction.sources) {
          const bool is_variable = operand.kind == Operand::Kind::variable ||
                                   operand.kind == Operand::Kind::generic_variable;
          if (is_variable &&
              unit.program.variables[operand.index].space == VariableSpace::constant) {
            constants_used[f].insert(operand.index);
          }
        }
      }
    }
  }
  for (std::uint32_t f = 0; f < unit.bodies.size(); ++f) {
    FunctionInfo& info = unit.program.functions[f];
    if (!info.is_kernel) continue;
    std::set<std::uint32_t> all;
    for (const std::uint32_t g : graph.reachable_from(f)) {
      all.insert(constants_used[g].begin(), constants_used[g].end());
    }
    std::uint64_t bytes = info.parameter_bytes;
    for (const std::uint32_t v : all) bytes += unit.program.variables[v].size;
    info.constant_bytes =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, ~std::uint32_t{0}));
  }
}

}  // namespace

CompilationUnit lower(const std::vector<ptx::Module>& modules) {
  Linked linked = link(modules);
  CompilationUnit unit;
  std::vector<std::uint32_t> dynamic_alignment;
  for (std::uint32_t f = 0; f < linked.definitions.size(); ++f) {
    const SymbolPlace place = linked.definitions[f];
    FunctionInfo& info = linked.program.functions[f];
    const ptx::Function& function = modules[place.module].functions[place.index];
    describe_parameters(modules[place.module], function, info);
    if (info.is_extern) {
      Function& body = unit.bodies.emplace_back();
      body.name = info.name;
      body.is_kernel = info.is_kernel;
      dynamic_alignment.push_back(0);
      continue;
    }
    lowering::Translator translator(modules, linked, info, place);
    unit.bodies.push_back(translator.run());
    info.frame_bytes = unit.bodies.back().frame_bytes;
    dynamic_alignment.push_back(translator.dynamic_shared_alignment());
  }
  unit.program = std::move(linked.program);
  lowering::lay_out_shared_memory(unit, dynamic_alignment, linked.reserved_shared_memory);
  count_constant_bytes(unit);
  return unit;
}

}  // namespace heddle::code
