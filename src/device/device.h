#pragma once

// A simulated GPU as a host program uses it: memory, modules, launches. Operations execute in
// program order and synchronously: a launch has finished when launch() returns.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/dim3.h"
#include "code/compile.h"
#include "device/arguments.h"
#include "device/limits.h"
#include "exec/engine.h"
#include "exec/execution_profile.h"
#include "exec/fault/fault.h"
#include "exec/grid.h"
#include "exec/memory/global_memory.h"
#include "exec/observation/access_observer.h"
#include "exec/texture/texture_unit.h"

namespace heddle::device {

class LoadedModule;

/// An address in device memory.
using DevicePointer = std::uint64_t;

/// A PTX text and its name in messages.
struct PtxSource {
  std::string file;
  std::string text;
};

struct Kernel {
  const LoadedModule* module = nullptr;
  std::uint32_t function = 0;  ///< Index in the functions of the module's program.
};

/// A module's variable in global or constant memory.
struct Symbol {
  DevicePointer address = 0;
  std::uint64_t bytes = 0;
};

struct LaunchConfiguration {
  Dim3 grid{};
  Dim3 block{};
  std::uint32_t dynamic_shared_bytes = 0;
  /// The blocks may wait for one another; launch() throws InputError unless all of them can be
  /// resident at once.
  bool cooperative = false;
  /// Whether code of the host may change memory that the kernel reads. DeviceOptions::wait_for_host
  /// is then used.
  bool may_wait_for_host = false;
  /// Null, or the profile to which the launch adds its execution counts. The profile must have been
  /// constructed for the kernel's program.
  exec::ExecutionProfile* profile = nullptr;
};

struct LaunchResult {
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;  ///< One for each active lane of a warp instruction.
};

/// An instruction that accessed memory outside of every allocation without causing a fault.
struct StrayInstruction {
  std::string kernel;
  std::string place;  ///< Describes the instruction; the text of exec::place_of().
  exec::StrayCount count;
};

struct DeviceOptions {
  Limits limits{};
  exec::MemoryOptions memory{};
  std::uint64_t heap_bytes = std::uint64_t{8} << 20;  ///< For malloc in kernels.
  std::uint32_t stack_bytes = 1024;  ///< Per thread, if the depth of calls is not known statically.
  /// A launch that executes more warp instructions faults; with timing, somewhat later.
  std::uint64_t max_warp_instructions = ~std::uint64_t{0};
  code::CompileOptions compile{};
  /// The engine that runs launches, which must outlive the device. If null, launches are executed
  /// functionally, without timing.
  exec::Engine* engine = nullptr;
  /// Observes the accesses of launches to global memory, and must outlive the device. Null: nothing
  /// is observed.
  exec::AccessObservers* access_observers = nullptr;
  /// Called with the progress of functional launches (exec::run_grid()). May be empty.
  exec::ReportGridProgress progress{};
  /// Receives the output of device printf. If empty, the output goes to standard output.
  std::function<void(std::string_view)> print{};
  /// Called with a message if a launch has run for long and may never end. May be empty.
  std::function<void(std::string_view)> notice{};
  /// exec::Launch::wait_for_host of launches with LaunchConfiguration::may_wait_for_host.
  std::function<bool(const std::vector<exec::WarpStatus>&)> wait_for_host{};
};

/// Functions throw InputError for errors of the host program, and exec::SimulatedFault for errors
/// of a kernel. After a fault, all functions that use memory, load or unload modules, launch or
/// synchronize throw the same fault again until reset().
class Device {
 public:
  explicit Device(DeviceOptions options = {});
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // -- memory -------------------------------------------------------------------------------------
  /// `name` describes the allocation in messages.
  DevicePointer allocate(std::uint64_t bytes, std::string_view name = {});
  /// Has no effect if `pointer` is 0.
  void free(DevicePointer pointer);
  void copy_to_device(DevicePointer to, std::span<const std::byte> from);
  void copy_from_device(std::span<std::byte> to, DevicePointer from) const;
  void copy_within_device(DevicePointer to, DevicePointer from, std::uint64_t bytes);
  /// Sets each of the `bytes` bytes to `value`, like cudaMemset.
  void set(DevicePointer to, std::uint8_t value, std::uint64_t bytes);

  /// upload() allocates memory for an array and copies the array to it; download() copies an array
  /// of `count` elements back.
  template <class T>
  DevicePointer upload(std::span<const T> values, std::string_view name = {}) {
    const DevicePointer pointer = allocate(values.size_bytes(), name);
    copy_to_device(pointer, std::as_bytes(values));
    return pointer;
  }
  template <class T>
  DevicePointer upload(const std::vector<T>& values, std::string_view name = {}) {
    return upload(std::span<const T>(values), name);
  }
  template <class T>
  std::vector<T> download(DevicePointer from, std::size_t count) const {
    std::vector<T> values(count);
    copy_from_device(std::as_writable_bytes(std::span<T>(values)), from);
    return values;
  }

  // -- code ---------------------------------------------------------------------------------------
  /// Parses, links and compiles one program from one or several texts. An InputError's message
  /// contains all diagnostics. The module lives until unload() or reset(), or as long as the
  /// device.
  const LoadedModule& load(const std::vector<PtxSource>& sources);
  const LoadedModule& load_file(const std::string& path);
  /// Compiles the texts of a loaded module again with other options. Its variables keep their
  /// addresses and values.
  void compile_again(const LoadedModule& module, const std::vector<PtxSource>& sources,
                     const code::CompileOptions& options);
  void unload(const LoadedModule& module);
  /// Throws InputError, with the nearest name, if the module has no such kernel.
  Kernel find_kernel(const LoadedModule& module, std::string_view name) const;
  /// Empty if the module has no such variable in global or constant memory.
  std::optional<Symbol> find_symbol(const LoadedModule& module, std::string_view name) const;

  // -- execution ----------------------------------------------------------------------------------
  /// `arguments` must match the kernel's parameters in number and size.
  LaunchResult launch(Kernel kernel, const LaunchConfiguration& configuration,
                      const Arguments& arguments);
  template <class... Values>
  LaunchResult launch_with(Kernel kernel, const LaunchConfiguration& configuration,
                           const Values&... values) {
    Arguments arguments;
    (arguments.add(values), ...);
    return launch(kernel, configuration, arguments);
  }
  /// The number of the kernel's blocks that a GPU holds at once if it allocates resources to whole
  /// blocks, not warp by warp. The GPU is the engine's or, without an engine, a GTX 480.
  std::uint64_t resident_blocks(Kernel kernel, const Dim3& block) const;
  /// Applies to later launches.
  void set_stack_bytes(std::uint32_t bytes) { options_.stack_bytes = bytes; }
  /// Throws InputError after a kernel has used the heap.
  void set_heap_bytes(std::uint64_t bytes);
  /// Throws the device's fault, if it has one.
  void synchronize() const;
  /// Instructions with stray accesses, in the order of their first launch. Empty unless
  /// options().memory.out_of_bounds permits such accesses.
  const std::vector<StrayInstruction>& stray_instructions() const { return stray_instructions_; }
  /// Frees all memory, unloads all modules and clears the fault. stray_instructions() remain.
  void reset();

  /// Creates and destroys texture and surface objects.
  exec::TextureUnit& textures();
  exec::GlobalMemory& memory();
  const DeviceOptions& options() const { return options_; }

 private:
  struct State;
  void collect_strays(const Kernel& kernel);

  DeviceOptions options_;
  std::vector<StrayInstruction> stray_instructions_;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::device
