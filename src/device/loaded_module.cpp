#include "device/loaded_module.h"

#include <fmt/format.h>

#include "base/error.h"
#include "exec/memory/address_space.h"
#include "ptx/parser.h"

namespace heddle::device {
namespace {

bool in_device_memory(const code::Variable& variable) {
  return variable.space == code::VariableSpace::global ||
         variable.space == code::VariableSpace::constant;
}

exec::AllocationKind kind_of(const code::Variable& variable) {
  return variable.space == code::VariableSpace::constant ? exec::AllocationKind::constant
                                                         : exec::AllocationKind::variable;
}

/// For each variable: whether an instruction or an initial value refers to it.
std::vector<bool> referenced_variables(const code::Program& program) {
  std::vector<bool> is_referenced(program.variables.size());
  for (const code::Instruction& instruction : program.instructions) {
    for (const code::Operand& operand : instruction.sources) {
      if (operand.kind == code::Operand::Kind::variable ||
          operand.kind == code::Operand::Kind::generic_variable) {
        is_referenced[operand.index] = true;
      }
    }
  }
  for (const code::Variable& variable : program.variables) {
    for (const code::AddressInitialiser& initialiser : variable.addresses) {
      if (!initialiser.is_function) is_referenced[initialiser.symbol] = true;
    }
  }
  return is_referenced;
}

/// Throws InputError if an undefined variable is referenced. Other undefined variables are allowed,
/// because compilers leave such declarations behind.
void check_defined(const code::Program& program) {
  const std::vector<bool> is_referenced = referenced_variables(program);
  for (std::size_t i = 0; i < is_referenced.size(); ++i) {
    const code::Variable& variable = program.variables[i];
    if (in_device_memory(variable) && variable.is_extern && is_referenced[i]) {
      throw InputError(fmt::format(
          "the variable '{}' is declared .extern, but no module defines it", variable.name));
    }
  }
}

}  // namespace

std::vector<ptx::Module> parse_all(const std::vector<PtxSource>& sources) {
  std::vector<ptx::Module> modules;
  std::string errors;
  for (const PtxSource& source : sources) {
    ptx::ParseResult result = ptx::parse(source.text, source.file);
    if (!result.ok()) errors += render(result.diagnostics, source.file, source.text);
    modules.push_back(std::move(result.module));
  }
  if (!errors.empty()) {
    errors.pop_back();
    throw InputError(errors);
  }
  return modules;
}

LoadedModule LoadedModule::load(const std::vector<PtxSource>& sources,
                                const code::CompileOptions& options, exec::GlobalMemory& memory,
                                exec::Observation observation) {
  LoadedModule module;
  module.observation_ = observation;
  module.program_ = std::make_unique<code::Program>(code::compile(parse_all(sources), options));
  check_defined(*module.program_);
  try {
    module.place_variables(memory);
    module.initialise_variables(memory);
    module.decode();
  } catch (...) {
    module.release(memory);
    throw;
  }
  return module;
}

void LoadedModule::compile_again(const std::vector<PtxSource>& sources,
                                 const code::CompileOptions& options) {
  program_ = std::make_unique<code::Program>(code::compile(parse_all(sources), options));
  decode();
}

void LoadedModule::place_variables(exec::GlobalMemory& memory) {
  for (const code::Variable& variable : program_->variables) {
    std::uint64_t address = variable.shared_offset;
    if (in_device_memory(variable)) {
      address = memory.allocate(variable.size,
                                {.name = variable.name,
                                 .kind = kind_of(variable),
                                 .alignment = std::max<std::uint64_t>(variable.alignment, 256)});
    }
    const bool is_shared = variable.space == code::VariableSpace::shared;
    symbols_.variables.push_back(address);
    symbols_.generic.push_back(is_shared ? exec::kSharedWindow + address : address);
  }
}

void LoadedModule::release(exec::GlobalMemory& memory) const {
  for (std::size_t i = 0; i < symbols_.variables.size(); ++i) {
    const code::Variable& variable = program_->variables[i];
    if (in_device_memory(variable)) memory.free(symbols_.variables[i], kind_of(variable));
  }
}

std::uint64_t LoadedModule::address_of(const code::AddressInitialiser& initialiser) const {
  std::uint64_t address = 0;
  if (initialiser.is_function) {
    address = exec::function_address(initialiser.symbol);
  } else {
    address = (initialiser.generic ? symbols_.generic : symbols_.variables)[initialiser.symbol];
  }
  return (address + static_cast<std::uint64_t>(initialiser.addend)) >> initialiser.shift;
}

void LoadedModule::initialise_variables(exec::GlobalMemory& memory) const {
  for (std::size_t i = 0; i < symbols_.variables.size(); ++i) {
    const code::Variable& variable = program_->variables[i];
    if (!in_device_memory(variable)) continue;
    if (!variable.bytes.empty()) {
      memory.write(symbols_.variables[i], std::as_bytes(std::span(variable.bytes)));
    }
    for (const code::AddressInitialiser& initialiser : variable.addresses) {
      const std::uint64_t value = address_of(initialiser);
      memory.write(symbols_.variables[i] + initialiser.offset,
                   std::as_bytes(std::span(&value, 1)).first(initialiser.bytes));
    }
  }
}

std::optional<Symbol> LoadedModule::find_symbol(std::string_view name) const {
  for (std::size_t i = 0; i < symbols_.variables.size(); ++i) {
    const code::Variable& variable = program_->variables[i];
    if (variable.name == name && in_device_memory(variable)) {
      return Symbol{.address = symbols_.variables[i], .bytes = variable.size};
    }
  }
  return std::nullopt;
}

}  // namespace heddle::device
