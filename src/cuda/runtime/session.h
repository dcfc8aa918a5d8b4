#pragma once

// What one process has of a simulated GPU. One thread at a time uses it: call() holds its mutex.

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

class Session {
 public:
  /// The process's own. It is never destroyed: programs call the runtime until their very end.
  static Session& instance();

  /// Calls of the driver's interface are made of the runtime's, so one may hold it twice.
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
  abi::PoolHandle default_pool = nullptr;  ///< Null until it is asked for.
  std::uint64_t streams_made = 0;
  std::uint32_t device_flags = 0;
  /// The runtime has been used since the last reset: it holds the device's primary context.
  bool primary_in_use = false;
  bool driver_initialised = false;  ///< By cuInit, or by what the runtime was asked for.
  /// Why the process ends: then launches are not waited for.
  enum class Ending : std::uint8_t { none, exit, signal };
  std::atomic<Ending> ending = Ending::none;

  Simulation& simulation();
  device::Device& device();
  /// Null as long as nothing has been asked of it.
  device::Device* device_if_made() { return device_ ? &*device_ : nullptr; }
  /// Throws Failure with the error that the device is in, if it is in one.
  void check();
  /// Throws Failure for a stream that is none.
  void check_stream(abi::StreamHandle stream) const;

  struct LaunchRequest {
    Function* function = nullptr;
    abi::Dim3 grid{}, block{};
    void** arguments = nullptr;
    std::uint64_t dynamic_shared_bytes = 0;
    bool cooperative = false;
  };
  /// Runs it to its end. Throws Failure for what CUDA refuses; what goes wrong in the kernel is
  /// reported by the calls that come after.
  void launch(const LaunchRequest& request);

  /// As cudaDeviceReset does.
  void reset();
  /// The process ends. What it says of its kernels it says once.
  void finish();
  /// The same for a process that a signal ends.
  [[noreturn]] void finish_by_signal();

  /// Whether this is a child that was forked off after its parent had used the GPU, of which it can
  /// make no use: that is so with CUDA, too. To be asked without the mutex, which another thread of
  /// the parent may have held.
  bool is_forked_off() const;

 private:
  Session();
  void make_fit(const Function& function, const abi::Dim3& block);
  void note(const std::string& kernel, const device::LaunchResult& result);
  /// The device is about to be gone.
  void keep_strays();
  void report_once();

  ::pid_t loaded_by_;  ///< The process that the library was loaded into.
  std::atomic<::pid_t> simulated_by_ = 0;
  std::unique_ptr<Simulation> simulation_;
  std::optional<device::Device> device_;
  std::vector<KernelTotals> kernels_;
  std::string fault_;
  std::vector<device::StrayPlace> strays_;  ///< Of devices that are no more.
  bool finished_ = false;
};

/// Whether an address is one of device memory, allocated or not.
bool in_device_memory(const void* address);

}  // namespace heddle::cuda
