#pragma once

// The modules of a program: the kernels and variables that it registers before main or loads later.
// A module is compiled when one of them is first used.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "code/program.h"
#include "cuda/fatbin/fat_binary.h"
#include "cuda/fatbin/wrapper.h"
#include "cuda/runtime/error.h"
#include "device/device.h"

namespace heddle::cuda {

class Module;

/// A kernel that a program has registered or looked up.
struct Function {
  Module* module = nullptr;
  std::string name{};  ///< Its name in PTX.
  /// The limit set by cudaFuncSetAttribute; 0: the limit without it (ordinary_shared_bytes()).
  std::uint32_t max_dynamic_shared_bytes = 0;
  int carveout = -1;
};

/// A fat binary of a program, or PTX texts that it loads.
class Module {
 public:
  explicit Module(const FatBinaryWrapper& wrapper) : wrapper_(&wrapper) {}
  explicit Module(std::vector<device::PtxSource> texts) : texts_(std::move(texts)) {}

  /// Compiles the module if necessary. Throws Failure, with a message the first time.
  const device::LoadedModule& load(device::Device& device);
  /// Compiles the module again, with at most `most` registers per thread for one kernel.
  void limit_registers(device::Device& device, const std::string& kernel, std::uint32_t most);
  /// Called when the device has been reset and no longer has the module.
  void mark_unloaded() { loaded_ = nullptr; }
  /// The name of the managed variable at an address; null if there is none.
  const std::string* managed_at(const void* address) const;
  bool is_loaded() const { return loaded_ != nullptr; }
  /// The compute capability that its PTX targets; known once the module is loaded.
  ComputeCapability target() const { return target_; }

  /// A managed variable. Its address is stored at `pointer` as soon as the module is loaded.
  struct Managed {
    void** pointer = nullptr;
    std::string name{};
  };
  std::vector<Managed> managed{};

 private:
  std::vector<device::PtxSource> sources() const;

  const FatBinaryWrapper* wrapper_ = nullptr;
  std::vector<device::PtxSource> texts_{};
  const device::LoadedModule* loaded_ = nullptr;
  std::map<std::string, std::uint32_t, std::less<>> max_registers_{};  ///< By kernel.
  ComputeCapability target_;
  std::optional<Error> failed_;
};

/// All modules of a program, with their functions and variables.
class Modules {
 public:
  template <class Source>
  Module& add(Source&& source) {
    had_any_ = true;
    return *modules_.emplace_back(std::make_unique<Module>(std::forward<Source>(source)));
  }
  /// True if the program has ever had a module, even if it was removed.
  bool had_any() const { return had_any_; }
  /// The module of a handle; null for an invalid handle.
  Module* find(const void* handle);
  /// Removes a module with its functions and variables.
  void remove(const Module& module, device::Device* device);
  void add_function(Module& module, const void* host, std::string name);
  void add_variable(Module& module, const void* host, std::string name);
  /// The kernel of a name, which is added if the program has not registered it.
  Function& function_by_name(Module& module, const std::string& name);

  /// The kernel of a host function's address, or of a handle, which is a Function's address. Throws
  /// Failure if it was not registered.
  Function& function(const void* key);
  /// The variable of a host variable's address; a managed variable also by its own address. Throws
  /// Failure if it was not registered.
  device::Symbol variable(const void* host, device::Device& device);

  /// Called when the device has been reset. Returns the modules with managed variables, which must
  /// be loaded again before the host accesses these.
  std::vector<Module*> mark_all_unloaded();

 private:
  struct Variable {
    Module* module = nullptr;
    std::string name{};
  };

  /// The variable of a host variable's address or of a managed variable's own address.
  std::optional<Variable> find_variable(const void* host) const;

  bool had_any_ = false;
  std::vector<std::unique_ptr<Module>> modules_;
  std::unordered_map<const void*, std::unique_ptr<Function>> functions_;
  std::unordered_map<const void*, Function*> handles_;
  std::unordered_map<const void*, Variable> variables_;
};

/// The PTX of a fat binary for the GPU that programs see. Throws InputError.
device::PtxSource ptx_of(const void* fat_binary);

/// The compiler's information about a kernel. Compiles its module if necessary.
const code::FunctionInfo& info_of(const Function& function, device::Device& device);

}  // namespace heddle::cuda
