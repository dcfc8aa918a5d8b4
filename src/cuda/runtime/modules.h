#pragma once

// The modules of a program. A module contains kernels and variables that the program registers
// before main or loads later. It is compiled when one of them is first used.

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

/// A kernel that a program has registered or looked up. (CUDA's API calls kernels functions.)
struct Function {
  Module* module = nullptr;
  std::string name{};  ///< The kernel's name in PTX.
  /// The limit that cudaFuncSetAttribute has set; 0: default_max_shared_bytes() applies.
  std::uint32_t max_dynamic_shared_bytes = 0;
  /// The preferred share of shared memory in L1, in percent; -1: the default. It has no effect.
  int carveout = -1;
  std::optional<bool> may_poll{};  ///< The result of may_poll(); empty before the first launch.
};

/// A module: a fat binary that the program registers, or PTX texts that it loads.
class Module {
 public:
  explicit Module(const FatBinaryWrapper& wrapper) : wrapper_(&wrapper) {}
  explicit Module(std::vector<device::PtxSource> texts) : texts_(std::move(texts)) {}

  /// Compiles the module if it is not compiled yet. Every call throws Failure for a module with
  /// errors; only the first Failure has a message.
  const device::LoadedModule& load(device::Device& device);
  /// Compiles the module again, with at most `max_registers` registers per thread for one kernel.
  void limit_registers(device::Device& device, const std::string& kernel,
                       std::uint32_t max_registers);
  /// Called when the device has been reset and no longer has the module.
  void mark_unloaded() { loaded_ = nullptr; }
  /// The name of the managed variable at an address; null if there is none.
  const std::string* managed_variable_at(const void* address) const;
  bool is_loaded() const { return loaded_ != nullptr; }
  /// The compute capability that the PTX targets; 0 until the module is loaded.
  ComputeCapability target() const { return target_; }

  /// A managed variable. Its address is stored at `pointer` as soon as the module is loaded.
  struct ManagedVariable {
    void** pointer = nullptr;
    std::string name{};
  };
  std::vector<ManagedVariable> managed_variables{};

 private:
  std::vector<device::PtxSource> sources() const;

  const FatBinaryWrapper* wrapper_ = nullptr;  ///< Null: the module consists of texts_.
  std::vector<device::PtxSource> texts_{};
  const device::LoadedModule* loaded_ = nullptr;
  std::map<std::string, std::uint32_t, std::less<>> max_registers_{};  ///< By name of kernel.
  ComputeCapability target_;
  std::optional<Error> load_error_;  ///< The error of every load(), once one has failed.
};

/// All modules of a program, with their functions and variables.
class Modules {
 public:
  /// Adds a module that is made from a wrapper or from PTX texts.
  template <class Source>
  Module& add(Source&& source) {
    had_any_module_ = true;
    return *modules_.emplace_back(std::make_unique<Module>(std::forward<Source>(source)));
  }
  /// True if the program has ever had a module, even if it was removed.
  bool had_any_module() const { return had_any_module_; }
  /// The module of a handle; null for an invalid handle.
  Module* find(const void* handle);
  /// Removes a module with its functions and variables, and unloads it from `device`. `device` is
  /// null if the device has not been created or no longer has the module.
  void remove(const Module& module, device::Device* device);
  /// `host` is the address by which the host's code refers to the kernel or variable.
  void add_function(Module& module, const void* host, std::string name);
  void add_variable(Module& module, const void* host, std::string name);
  /// The kernel with this name in PTX. Adds the kernel if the program has not registered it.
  Function& function_by_name(Module& module, const std::string& name);

  /// The kernel of a key: the host's address for it, or a handle, which is the address of a
  /// Function. Throws Failure if there is none.
  Function& function(const void* key);
  /// The variable for the host's address; for a managed variable, also for the variable's own
  /// address. Throws Failure if there is none.
  device::Symbol variable(const void* host, device::Device& device);

  /// Whether any module has managed variables.
  bool any_managed_variable() const;
  /// Whether a managed variable begins at an address of the host.
  bool is_managed(const void* address) const;

  /// Called when the device has been reset. Returns the modules that had been loaded and have
  /// managed variables. They must be loaded again before the host accesses these variables.
  std::vector<Module*> mark_all_unloaded();

 private:
  struct Variable {
    Module* module = nullptr;
    std::string name{};
  };

  /// As variable(), but returns nothing if there is none.
  std::optional<Variable> find_variable(const void* host) const;

  bool had_any_module_ = false;
  std::vector<std::unique_ptr<Module>> modules_;
  /// By the host's address for the kernel, or by the Function's own address if there is none.
  std::unordered_map<const void*, std::unique_ptr<Function>> functions_;
  std::unordered_map<const void*, Function*> handles_;   ///< By the Function's own address.
  std::unordered_map<const void*, Variable> variables_;  ///< By the host's address.
};

/// The PTX of a fat binary for the GPU that programs see. Throws InputError if there is none.
device::PtxSource ptx_of(const void* fat_binary);
/// The PTX of each fat binary of a wrapper. Throws InputError if one of them has none.
std::vector<device::PtxSource> ptx_of_wrapper(const FatBinaryWrapper& wrapper);

/// The compiler's information about a kernel. Compiles its module if necessary. Throws Failure if
/// the module has no kernel of that name.
const code::FunctionInfo& info_of(const Function& function, device::Device& device);

}  // namespace heddle::cuda
