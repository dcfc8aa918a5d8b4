#pragma once

// A simulated GPU as a host program holds it: memory, modules, launches. It executes in order and
// at once: a launch has finished when launch() returns.

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
#include "exec/texture/texture_unit.h"

namespace heddle::device {

class LoadedModule;

/// An address in device memory.
using DevicePointer = std::uint64_t;

/// One PTX text, and what messages call it.
struct PtxSource {
  std::string file;
  std::string text;
};

struct Kernel {
  const LoadedModule* module = nullptr;
  std::uint32_t function = 0;
};

struct Symbol {
  DevicePointer address = 0;
  std::uint64_t bytes = 0;
};

struct LaunchConfiguration {
  Dim3 grid{};
  Dim3 block{};
  std::uint32_t dynamic_shared_bytes = 0;
  /// Its blocks may wait for one another. That they fit on the device at once, the caller must
  /// know.
  bool cooperative = false;
  /// To be filled, where it is given: made for the instructions of the kernel's program.
  exec::ExecutionProfile* profile = nullptr;
};

struct LaunchResult {
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;  ///< One for each active lane of a warp instruction.
};

/// An instruction whose accesses outside of every allocation were let pass.
struct StrayPlace {
  std::string kernel;
  std::string place;  ///< As exec::place_of says it.
  exec::StrayCount count;
};

struct DeviceOptions {
  Limits limits{};
  exec::MemoryOptions memory{};
  std::uint64_t heap_bytes = std::uint64_t{8} << 20;  ///< For malloc in kernels.
  std::uint32_t stack_bytes = 1024;  ///< A thread's, where its depth cannot be known beforehand.
  std::uint64_t max_warp_instructions = ~std::uint64_t{0};  ///< Of one launch; then it faults.
  code::CompileOptions compile{};
  /// Who runs launches; without one they run without time. It outlives the device.
  exec::Engine* engine = nullptr;
  /// Hears of launches without time: exec::run_grid().
  exec::ReportGridProgress progress{};
  /// Where device printf goes; standard output where empty.
  std::function<void(std::string_view)> print{};
  /// Told of a launch that runs for long and may never end, once; nobody is where it is empty.
  std::function<void(std::string_view)> notice{};
};

/// Every function throws InputError for what the host asked wrongly, and exec::SimulatedFault for
/// what a kernel did wrongly. After a fault the device is in error, and refuses everything with the
/// same fault until reset().
class Device {
 public:
  explicit Device(DeviceOptions options = {});
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // -- memory -------------------------------------------------------------------------------------
  DevicePointer allocate(std::uint64_t bytes, std::string_view name = {});
  void free(DevicePointer pointer);
  void copy_to_device(DevicePointer to, std::span<const std::byte> from);
  void copy_from_device(std::span<std::byte> to, DevicePointer from) const;
  void copy_within_device(DevicePointer to, DevicePointer from, std::uint64_t bytes);
  void set(DevicePointer to, std::uint8_t value, std::uint64_t bytes);

  /// Allocates and fills; reads back: for whole arrays.
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
  /// Parses, links and compiles one program from one or several texts. InputError's message holds
  /// all the diagnostics. The module lives as long as the device, or until unload().
  const LoadedModule& load(const std::vector<PtxSource>& sources);
  const LoadedModule& load_file(const std::string& path);
  /// Compiles the texts that a module was loaded from with other options. Its variables stay where
  /// they are, with what is in them.
  void compile_again(const LoadedModule& module, const std::vector<PtxSource>& sources,
                     const code::CompileOptions& options);
  void unload(const LoadedModule& module);
  /// Throws InputError, naming the nearest kernels, where there is none of that name.
  Kernel find_kernel(const LoadedModule& module, std::string_view name) const;
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
  /// How many such blocks are on the GPU at once, where residency is by whole blocks: on the
  /// engine's, or without one on a GTX 480.
  std::uint64_t resident_blocks(Kernel kernel, const Dim3& block) const;
  /// For what is launched from now on.
  void set_stack_bytes(std::uint32_t bytes) { options_.stack_bytes = bytes; }
  /// Throws InputError once a kernel has used the heap.
  void set_heap_bytes(std::uint64_t bytes);
  /// Throws the fault that the device is in, if it is in one.
  void synchronize() const;
  /// In the order of their first launch. Empty unless options().memory.out_of_bounds lets them
  /// pass.
  const std::vector<StrayPlace>& stray_places() const { return stray_places_; }
  /// Forgets all memory, modules and errors.
  void reset();

  /// Textures and surfaces: their objects are made and destroyed there.
  exec::TextureUnit& textures();
  exec::GlobalMemory& memory();
  const DeviceOptions& options() const { return options_; }

 private:
  struct State;
  void collect_strays(const Kernel& kernel);

  DeviceOptions options_;
  std::vector<StrayPlace> stray_places_;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::device
