#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "code/program.h"
#include "device/device.h"
#include "exec/decode.h"
#include "exec/memory/global_memory.h"

namespace heddle::device {

/// A program on the device: compiled, its variables in memory, its instructions decoded.
class LoadedModule {
 public:
  static LoadedModule load(const std::vector<PtxSource>& sources,
                           const code::CompileOptions& options, exec::GlobalMemory& memory);
  /// Makes the code of the same texts with other options; variables stay as they are.
  void compile_again(const std::vector<PtxSource>& sources, const code::CompileOptions& options);
  /// Gives back the variables' memory.
  void release(exec::GlobalMemory& memory) const;

  const code::Program& program() const { return *program_; }
  const exec::DecodedProgram& decoded() const { return decoded_; }
  std::optional<Symbol> find_symbol(std::string_view name) const;

 private:
  void place_variables(exec::GlobalMemory& memory);
  void initialise_variables(exec::GlobalMemory& memory) const;
  std::uint64_t address_of(const code::AddressInitialiser& initialiser) const;

  // By pointer, so that what refers to it (launches, faults) survives a move of the module.
  std::unique_ptr<code::Program> program_;
  exec::SymbolAddresses symbols_;
  exec::DecodedProgram decoded_;
};

/// Parses texts to modules; InputError's message holds the diagnostics of all of them.
std::vector<ptx::Module> parse_all(const std::vector<PtxSource>& sources);

}  // namespace heddle::device
