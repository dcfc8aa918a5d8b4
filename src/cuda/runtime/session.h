#pragma once

// The state of the simulated GPU in one process. Threads use it one at a time: call() holds its
// mutex.

#include <sys/types.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cuda/runtime/allocations.h"
#include "cuda/runtime/handle_table.h"
#include "cuda/runtime/modules.h"
#include "cuda/runtime/objects.h"
#include "cuda/runtime/registered_memory.h"
#include "cuda/runtime/simulation.h"

namespace heddle::cuda {

/// The simulated GPU of the process, with all objects that the program has created on it.
class Session {
 public:
  /// The process's session. It is never destroyed: programs call the runtime until they have ended.
  static Session& instance();

  /// Recursive, because the driver's functions call the runtime's.
  std::recursive_mutex mutex;
  Modules modules;
  Allocations allocations;
  RegisteredMemory registered;
  HandleTable<Stream, abi::StreamHandle> streams;
  HandleTable<Event, abi::EventHandle> events;
  HandleTable<Array, abi::ArrayHandle> arrays;
  HandleTable<MipmappedArray, abi::MipmappedArrayHandle> mipmapped_arrays;
  HandleTable<Pool, abi::PoolHandle> pools;
  std::map<std::uint64_t, TextureObject> textures;
  std::map<std::uint64_t, abi::ResourceDescription> surfaces;
  abi::PoolHandle default_pool = nullptr;  ///< Null until it is first used.
  std::uint64_t streams_made = 0;
  std::uint32_t device_flags = 0;
  /// The runtime has been used since the last reset: it holds the device's primary context.
  bool primary_in_use = false;
  bool driver_initialised = false;  ///< Set by cuInit and by calls of the runtime.
  /// The reason why the process ends; `none` if it does not. When the process ends, a launch in
  /// flight is interrupted.
  enum class Ending : std::uint8_t { none, exit, signal };
  std::atomic<Ending> ending = Ending::none;

  SimulationInterface& simulation();
  device::Device& device();
  /// The device; null if it has not been used yet.
  device::Device* device_if_made() { return device_ ? &*device_ : nullptr; }
  /// Throws Failure with the device's error, if it is in error.
  void check();
  /// Throws Failure for an invalid stream.
  void check_stream(abi::StreamHandle stream) const;

  struct LaunchRequest {
    Function* function = nullptr;
    abi::Dim3 grid{}, block{};
    void** arguments = nullptr;
    std::uint64_t dynamic_shared_bytes = 0;
    bool cooperative = false;
  };
  /// Runs a kernel to its end. Throws Failure if CUDA would reject the launch. Later calls return
  /// the errors of the kernel itself.
  void launch(const LaunchRequest& request);

  /// Implements cudaDeviceReset.
  void reset();
  /// Called when the process ends. Reports its kernels, but only once.
  void finish();
  /// Called when a signal ends the process. Reports its kernels, then ends the process.
  [[noreturn]] void finish_by_signal();

  /// True if this process was forked after its parent had used the GPU. It cannot use the GPU, as
  /// with CUDA. Must be called without the mutex, which another thread of the parent may have held.
  bool is_forked_off() const;

 private:
  Session();
  void limit_registers_to_fit(const Function& function, const abi::Dim3& block);
  void add_to_totals(const std::string& kernel, const device::LaunchResult& result);
  /// Saves the device's stray accesses before it is destroyed.
  void keep_strays();
  void report_once();

  ::pid_t loaded_by_;  ///< The process that the library was loaded into.
  std::atomic<::pid_t> simulated_by_ = 0;
  std::unique_ptr<SimulationInterface> simulation_;
  std::optional<device::Device> device_;
  std::vector<KernelTotals> kernels_;
  std::string fault_;
  std::vector<device::StrayInstruction> strays_;  ///< The stray accesses of destroyed devices.
  bool finished_ = false;
};

/// True if an address is in the range reserved for device memory, allocated or not.
bool in_device_memory(const void* address);

}  // namespace heddle::cuda
