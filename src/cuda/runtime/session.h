#pragma once

// The state of the simulated GPU in one process. The host's threads use it one at a time: call()
// locks its mutex.

#include <sys/types.h>

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cuda/graphs/state.h"
#include "cuda/runtime/allocations.h"
#include "cuda/runtime/handle_table.h"
#include "cuda/runtime/launch_beside_host.h"
#include "cuda/runtime/modules.h"
#include "cuda/runtime/objects.h"
#include "cuda/runtime/registered_memory.h"
#include "cuda/runtime/session_mutex.h"
#include "cuda/runtime/simulation.h"

namespace heddle::cuda {

/// The simulated GPU of the process, with all objects that the program has created on it.
class Session {
 public:
  /// The process's session. It is never destroyed: programs call the runtime until they have ended.
  static Session& instance();

  SessionMutex mutex;
  Modules modules;
  Allocations allocations;
  RegisteredMemory registered_memory;
  HandleTable<Stream, abi::StreamHandle> streams;
  HandleTable<Event, abi::EventHandle> events;
  HandleTable<Array, abi::ArrayHandle> arrays;
  HandleTable<MipmappedArray, abi::MipmappedArrayHandle> mipmapped_arrays;
  HandleTable<Pool, abi::PoolHandle> pools;
  graphs::State graphs;
  std::map<std::uint64_t, TextureObject> textures;             ///< By handle.
  std::map<std::uint64_t, abi::ResourceDescription> surfaces;  ///< By handle.
  abi::PoolHandle default_pool = nullptr;                      ///< Null until it is first used.
  std::uint64_t last_stream_id = 0;  ///< Of the newest stream; 0: none has been created.
  std::uint32_t device_flags = 0;    ///< Set by cudaSetDeviceFlags.
  /// True if the program has called the runtime since the last reset. The runtime then retains the
  /// device's primary context, the context that CUDA's runtime and driver share.
  bool runtime_retains_primary = false;
  bool driver_is_initialised = false;  ///< Set by cuInit and by calls of the runtime.
  /// The reason why the process is ending; `none` if it is not. A launch in flight is then
  /// interrupted.
  enum class Ending : std::uint8_t { none, exit, signal };
  std::atomic<Ending> ending = Ending::none;

  /// The simulation. The first call creates it from the process's environment variables.
  SimulationInterface& simulation();
  /// The device. The first call, and the first after a reset, creates it.
  device::Device& device();
  /// The device; null if it does not exist.
  device::Device* device_if_created() { return device_ ? &*device_ : nullptr; }
  /// Waits for a kernel that runs beside the host. Throws Failure with the error of a kernel that
  /// has failed since the last reset, if any.
  void check();
  /// Likewise, but does not wait. For calls that CUDA's programs make while a kernel waits for
  /// them.
  void check_beside_kernel();
  /// Whether a kernel of the stream runs beside the host.
  bool is_busy(abi::StreamHandle stream) const;
  bool runs_kernel_beside_host() const { return beside_host_.is_in_flight(); }
  /// Throws Failure for an invalid stream. The default streams are valid.
  void check_stream(abi::StreamHandle stream) const;
  /// True if a stream synchronises with the legacy default stream.
  bool is_blocking(abi::StreamHandle stream) const;

  struct LaunchRequest {
    Function* function = nullptr;
    abi::StreamHandle stream = nullptr;
    abi::Dim3 grid{}, block{};
    void** arguments = nullptr;
    std::uint64_t dynamic_shared_bytes = 0;
    bool cooperative = false;
  };
  /// Throws Failure if CUDA would reject a launch. Recompiles the kernel with fewer registers if
  /// its blocks would not fit otherwise.
  void check_launch(const LaunchRequest& request);
  /// Executes a kernel to its end, or until it waits for the host; it then goes on beside the host.
  /// Throws Failure if CUDA would reject the launch. If the kernel itself fails, check() throws its
  /// error from then on.
  void launch(const LaunchRequest& request);
  /// Records an event in a stream: when the work of the stream has ended.
  void record(Event& event, abi::StreamHandle stream);

  /// Implements cudaDeviceReset.
  void reset();
  /// Called when the process ends. Reports its kernels, unless they have been reported.
  void finish();
  /// Called when a signal ends the process. Reports its kernels, then ends the process.
  [[noreturn]] void finish_by_signal();

  /// True if this process was forked after its parent had used the GPU. As with CUDA, such a
  /// process cannot use the GPU. Must be called without locking the mutex: another thread of the
  /// parent may have locked it when the process was forked.
  bool is_forked_off() const;

 private:
  /// A launch that can be executed.
  struct PreparedLaunch {
    device::Kernel kernel{};
    device::LaunchConfiguration configuration{};
    device::Arguments arguments{};
    std::string name{};
  };

  Session();
  /// Executes a launch to its end, and adds its results to the totals.
  void execute(const PreparedLaunch& launch);
  /// Whether the kernel may wait for other code to change memory.
  static bool may_poll(Function& function, const device::Kernel& kernel);
  /// Whether host and kernels share memory that either can change at any time.
  bool shares_memory() const;
  /// Of the locations that threads poll, those in such memory.
  std::vector<PolledMemory> polled_memory(const std::vector<exec::WarpStatus>& statuses);
  /// Recompiles a kernel with fewer registers if a block does not fit: the machine may have fewer
  /// registers than the GPU that the program was built for.
  void limit_registers_to_fit(const Function& function, const abi::Dim3& block);
  void add_to_totals(const std::string& kernel, const device::LaunchResult& result);
  /// Adds what a launch has executed that does not end.
  void add_interrupted(const std::string& kernel);
  /// Copies the device's stray accesses to strays_, before the device is destroyed. An access is
  /// stray if it is outside of every allocation but was permitted.
  void save_strays();
  void report_once();

  ::pid_t loading_process_;  ///< The process into which the library was loaded.
  /// The process that created the simulation; 0: there is none yet.
  std::atomic<::pid_t> simulating_process_ = 0;
  std::unique_ptr<SimulationInterface> simulation_;
  std::optional<device::Device> device_;
  std::vector<KernelTotals> kernel_totals_;
  std::string fault_;  ///< The message of the last kernel that failed; empty: none has.
  LaunchBesideHost beside_host_;
  /// Of the kernel that runs beside the host, or of the last that did: its stream, its name, and
  /// the simulated time of its end, which is empty until then.
  abi::StreamHandle busy_stream_ = nullptr;
  std::string kernel_beside_host_;
  std::shared_ptr<std::optional<double>> end_of_kernel_;
  std::vector<device::StrayInstruction> strays_;  ///< The stray accesses of destroyed devices.
  bool is_reported_ = false;
};

/// True if an address is in the range that is reserved for device memory, allocated or not.
bool in_device_memory(const void* address);

}  // namespace heddle::cuda
