#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "code/program.h"
#include "device/device.h"
#include "exec/decode.h"
#include "exec/memory/global_memory.h"
#include "exec/vector_unit.h"

namespace heddle::device {

/// A compiled and decoded program on the device, with its variables in device memory.
class LoadedModule {
 public:
  /// Parses, links and compiles the texts, and places and initialises the variables in `memory`.
  /// Throws InputError.
  static LoadedModule load(const std::vector<PtxSource>& sources,
                           const code::CompileOptions& options, exec::GlobalMemory& memory,
                           exec::Observation observation = exec::Observation::none);
  /// Compiles the same texts again with other options. The variables keep their addresses and
  /// values.
  void compile_again(const std::vector<PtxSource>& sources, const code::CompileOptions& options);
  /// Frees the variables' memory.
  void release(exec::GlobalMemory& memory) const;

  const code::Program& program() const { return *program_; }
  const exec::DecodedProgram& decoded() const { return decoded_; }
  /// Empty if no variable in global or constant memory has the name.
  std::optional<Symbol> find_symbol(std::string_view name) const;

 private:
  void place_variables(exec::GlobalMemory& memory);
  void initialise_variables(exec::GlobalMemory& memory) const;
  void decode() {
    decoded_ = exec::decode(*program_, symbols_, exec::best_vector_unit(), observation_);
  }
  /// The value of an initialiser that contains an address.
  std::uint64_t address_of(const code::AddressInitialiser& initialiser) const;

  // A pointer, so that references from launches and faults stay valid if the module is moved.
  std::unique_ptr<code::Program> program_;
  exec::SymbolAddresses symbols_;
  exec::DecodedProgram decoded_;
  exec::Observation observation_ = exec::Observation::none;
};

/// Parses the texts. An InputError's message contains the diagnostics of all of them.
std::vector<ptx::Module> parse_all(const std::vector<PtxSource>& sources);

}  // namespace heddle::device
