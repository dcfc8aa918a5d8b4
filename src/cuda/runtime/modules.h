#pragma once

// The kernels and variables that a program registers before main, and their code, which is compiled
// when something of it is first used.

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

/// A kernel as a program knows it.
struct Function {
  Module* module = nullptr;
  std::string name{};  ///< As PTX has it.
  /// What cudaFuncSetAttribute allows beyond the ordinary.
  std::uint32_t most_dynamic_shared_bytes = 0;
  int carveout = -1;
};

/// A program's fat binary, or texts that it loads.
class Module {
 public:
  explicit Module(const FatBinaryWrapper& wrapper) : wrapper_(&wrapper) {}
  explicit Module(std::vector<device::PtxSource> texts) : texts_(std::move(texts)) {}

  /// Compiles it if that has not been done. Throws Failure, with a message the first time.
  const device::LoadedModule& load(device::Device& device);
  /// Compiles it again, one kernel for no more registers a thread than that.
  void limit_registers(device::Device& device, const std::string& kernel, std::uint32_t most);
  /// The device has forgotten it.
  void forget() { loaded_ = nullptr; }
  /// The name of the variable that the host finds at an address now; null if there is none.
  const std::string* managed_at(const void* address) const;
  bool is_loaded() const { return loaded_ != nullptr; }
  /// What its PTX was made for; known once it is loaded.
  ComputeCapability target() const { return target_; }

  /// Variables whose addresses the program wants as soon as the module is loaded.
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
  std::map<std::string, std::uint32_t, std::less<>> most_registers_{};  ///< By kernel.
  ComputeCapability target_;
  std::optional<Error> failed_;
};

class Modules {
 public:
  template <class Source>
  Module& add(Source&& source) {
    had_any_ = true;
    return *modules_.emplace_back(std::make_unique<Module>(std::forward<Source>(source)));
  }
  /// Whether the program ever had kernels, though they may be gone.
  bool had_any() const { return had_any_; }
  /// Null for what is none of ours.
  Module* find(const void* handle);
  /// Forgets it with all that belongs to it.
  void remove(const Module& module, device::Device* device);
  void add_function(Module& module, const void* host, std::string name);
  void add_variable(Module& module, const void* host, std::string name);
  /// One that the host has no function for, made known when it is first asked for.
  Function& function_by_name(Module& module, const std::string& name);

  /// By the address of the host's function, or by a handle that is a Function's address. Throws
  /// Failure for what was never registered.
  Function& function(const void* key);
  /// A managed variable also by its own address. Throws Failure for what was never registered.
  device::Symbol variable(const void* host, device::Device& device);

  /// The device has forgotten all modules. Those in which the host has addresses of variables must
  /// be loaded again before it uses them.
  std::vector<Module*> forget_all();

 private:
  struct Variable {
    Module* module = nullptr;
    std::string name{};
  };

  /// By what the program calls it.
  std::optional<Variable> find_variable(const void* host) const;

  bool had_any_ = false;
  std::vector<std::unique_ptr<Module>> modules_;
  std::unordered_map<const void*, std::unique_ptr<Function>> functions_;
  std::unordered_map<const void*, Function*> handles_;
  std::unordered_map<const void*, Variable> variables_;
};

/// The PTX of a fat binary for the GPU that programs see. Throws InputError.
device::PtxSource ptx_of(const void* fat_binary);

/// What the compiler found out about a kernel. Compiles its module if need be.
const code::FunctionInfo& info_of(const Function& function, device::Device& device);

}  // namespace heddle::cuda
