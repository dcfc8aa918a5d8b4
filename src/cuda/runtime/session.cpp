#include "cuda/runtime/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/error.h"
#include "base/message.h"
#include "cuda/runtime/default_streams.h"
#include "cuda/runtime/launch_limits.h"
#include "cuda/runtime/polling.h"
#include "device/loaded_module.h"
#include "exec/block/block.h"
#include "exec/fault/warp_status.h"

namespace heddle::cuda {
namespace {

device::DeviceOptions options_for(SimulationInterface& simulation) {
  device::DeviceOptions options;
  options.memory = simulation.memory_options();
  // Managed and pinned memory must have the same address on the host and the device.
  options.memory.host_place = exec::HostPlace::same_address;
  options.engine = simulation.engine();
  options.access_observers = simulation.access_observers();
  options.max_warp_instructions = simulation.max_instructions();
  options.progress = [&simulation](const exec::GridProgress& now) {
    simulation.receive_progress(now);
  };
  options.print = [&simulation](std::string_view text) { simulation.print(text); };
  options.notice = say;
  options.compile = simulation.machine().compile_options();
  options.compile.max_registers = simulation.max_registers();
  // The limit for the smallest blocks. limit_registers_to_fit() reduces it for larger ones.
  constexpr std::uint64_t kWarpThreads = 32;
  options.compile.register_limit_of_kernel =
      [limit = simulation.machine().max_registers(kWarpThreads)](std::string_view) {
        return limit;
      };
  return options;
}

device::Arguments arguments_of(const code::FunctionInfo& info, void** values) {
  device::Arguments arguments;
  for (std::size_t i = 0; i < info.parameters.size(); ++i) {
    arguments.add_bytes(values[i], info.parameters[i].size);
  }
  return arguments;
}

/// Tells the simulation that a launch is in flight while an object of this class exists.
class LaunchInFlight {
 public:
  LaunchInFlight(SimulationInterface& simulation, const std::string& kernel)
      : simulation_(simulation) {
    simulation.begin_launch(kernel);
  }
  LaunchInFlight(const LaunchInFlight&) = delete;
  LaunchInFlight& operator=(const LaunchInFlight&) = delete;
  ~LaunchInFlight() { simulation_.end_launch(); }

 private:
  SimulationInterface& simulation_;
};

}  // namespace

bool in_device_memory(const void* address) {
  device::Device* const device = Session::instance().device_if_created();
  return device != nullptr && device->memory().reserves(reinterpret_cast<std::uint64_t>(address));
}

Session& Session::instance() {
  static Session& session = *new Session;
  return session;
}

Session::Session()
    : loading_process_(::getpid()),
      beside_host_(mutex, [this] { return ending != Ending::none; }) {}

bool Session::is_forked_off() const {
  const ::pid_t process = simulating_process_;
  return process != 0 && process != ::getpid();
}

SimulationInterface& Session::simulation() {
  if (!simulation_) {
    try {
      simulating_process_ = ::getpid();
      simulation_ = make_simulation();
    } catch (const InputError& error) {
      throw Failure{Error::initialization, error.what()};
    }
  }
  return *simulation_;
}

device::Device& Session::device() {
  if (!device_) {
    try {
      device::DeviceOptions options = options_for(simulation());
      options.wait_for_host = [this](const std::vector<exec::WarpStatus>& statuses) {
        const std::vector<PolledMemory> polled = polled_memory(statuses);
        return !polled.empty() &&
               beside_host_.wait_for_host(polled, statuses.front().block->launch().info().name);
      };
      device_.emplace(std::move(options));
    } catch (const InputError& error) {
      throw Failure{Error::initialization, error.what()};
    }
  }
  return *device_;
}

void Session::check() {
  beside_host_.note_call();
  beside_host_.finish();
  check_beside_kernel();
}

void Session::check_beside_kernel() {
  beside_host_.note_call();
  if (!device_) return;
  try {
    device_->synchronize();
  } catch (const exec::SimulatedFault& fault) {
    throw Failure{error_of(fault.kind())};
  }
}

bool Session::is_busy(abi::StreamHandle stream) const {
  return beside_host_.is_in_flight() && stream == busy_stream_;
}

void Session::record(Event& event, abi::StreamHandle stream) {
  event.recorded = is_busy(stream)
                       ? end_of_kernel_
                       : std::make_shared<std::optional<double>>(simulation().simulated_seconds());
}

void Session::check_stream(abi::StreamHandle stream) const {
  if (!is_default(stream)) streams.get(stream);
}

bool Session::is_blocking(abi::StreamHandle stream) const {
  return is_default(stream) || streams.get(stream).flags != Stream::kNonBlocking;
}

void Session::limit_registers_to_fit(const Function& function, const abi::Dim3& block) {
  const code::FunctionInfo& info = info_of(function, device());
  const gpu::Machine& machine = simulation().machine();
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  const std::uint32_t limit = registers_to_fit(info, threads, machine);
  if (limit == 0) return;
  say(
      fmt::format("kernel '{}' is compiled for {} registers per thread instead of {}, so that a "
                  "block of {} threads fits on a multiprocessor of '{}'",
                  function.name, limit, info.registers_per_thread, threads, machine.name));
  function.module->limit_registers(device(), function.name, limit);
}

void Session::check_launch(const LaunchRequest& request) {
  limit_registers_to_fit(*request.function, request.block);
  check_limits(info_of(*request.function, device()), *request.function,
               {.grid = request.grid,
                .block = request.block,
                .dynamic_shared_bytes = request.dynamic_shared_bytes,
                .cooperative = request.cooperative},
               simulation().machine());
}

void Session::launch(const LaunchRequest& request) {
  device::Device& gpu = device();
  check_launch(request);
  const code::FunctionInfo& info = info_of(*request.function, gpu);
  const device::LoadedModule& module = request.function->module->load(gpu);
  PreparedLaunch launch{.kernel = gpu.find_kernel(module, request.function->name),
                        .arguments = arguments_of(info, request.arguments),
                        .name = info.name};
  launch.configuration.grid = {request.grid.x, request.grid.y, request.grid.z};
  launch.configuration.block = {request.block.x, request.block.y, request.block.z};
  launch.configuration.dynamic_shared_bytes =
      static_cast<std::uint32_t>(request.dynamic_shared_bytes);
  launch.configuration.cooperative = request.cooperative;
  launch.configuration.may_wait_for_host =
      shares_memory() && may_poll(*request.function, launch.kernel);
  registered_memory.copy_to(gpu);
  if (!launch.configuration.may_wait_for_host) return execute(launch);
  busy_stream_ = request.stream;
  kernel_beside_host_ = launch.name;
  end_of_kernel_ = std::make_shared<std::optional<double>>();
  beside_host_.start([this, launch = std::move(launch)] {
    execute(launch);
    *end_of_kernel_ = simulation().simulated_seconds();
  });
}

void Session::execute(const PreparedLaunch& launch) {
  device::Device& gpu = device();
  try {
    const LaunchInFlight in_flight(simulation(), launch.name);
    add_to_totals(launch.name, gpu.launch(launch.kernel, launch.configuration, launch.arguments));
  } catch (const Interrupted&) {
    add_interrupted(launch.name);
    if (ending == Ending::signal) finish_by_signal();
    throw Failure{Error::runtime_unloading};
  } catch (const exec::SimulatedFault& fault) {
    add_to_totals(launch.name, {});
    fault_ = fault.what();
    say(fault_);
  } catch (const InputError& error) {
    throw Failure{Error::not_supported, error.what()};
  }
  registered_memory.copy_back_from(gpu);
}

bool Session::may_poll(Function& function, const device::Kernel& kernel) {
  if (!function.may_poll) {
    function.may_poll = cuda::may_poll(kernel.module->program(), kernel.function);
  }
  return *function.may_poll;
}

bool Session::shares_memory() const {
  return allocations.any_shared_with_host() || modules.any_managed_variable();
}

std::vector<PolledMemory> Session::polled_memory(const std::vector<exec::WarpStatus>& statuses) {
  std::vector<PolledMemory> polled;
  const exec::GlobalMemory& memory = device().memory();
  for (const exec::WarpStatus& status : statuses) {
    if (!status.watched || status.watched->is_shared) continue;
    const exec::Allocation* const within = memory.find(status.watched->address);
    if (within == nullptr) continue;
    const Allocations::Entry found = allocations.find(within->address);
    const bool is_shared = found.address != 0 ? found.allocation.kind != MemoryKind::device
                                              : modules.is_managed(memory.host(within->address));
    if (!is_shared) continue;
    const PolledMemory location{.place = memory.host(status.watched->address),
                                .bytes = std::min(status.watched->bytes, 8U),
                                .value = status.watched->value};
    if (std::find(polled.begin(), polled.end(), location) == polled.end()) {
      polled.push_back(location);
    }
  }
  return polled;
}

void Session::add_interrupted(const std::string& kernel) {
  const exec::GridResult unfinished = simulation().interrupted_result();
  add_to_totals(kernel, {.warp_instructions = unfinished.warp_instructions,
                         .thread_instructions = unfinished.thread_instructions});
}

void Session::add_to_totals(const std::string& kernel, const device::LaunchResult& result) {
  auto totals =
      std::find_if(kernel_totals_.begin(), kernel_totals_.end(),
                   [&](const KernelTotals& candidate) { return candidate.kernel == kernel; });
  if (totals == kernel_totals_.end()) {
    kernel_totals_.push_back({.kernel = kernel});
    totals = kernel_totals_.end() - 1;
  }
  ++totals->launches;
  totals->warp_instructions += result.warp_instructions;
  totals->thread_instructions += result.thread_instructions;
}

void Session::reset() {
  beside_host_.finish();
  const std::vector<Module*> modules_to_load = modules.mark_all_unloaded();
  graphs.clear();
  allocations.clear();
  registered_memory.clear();
  streams.clear();
  events.clear();
  textures.clear();
  surfaces.clear();
  mipmapped_arrays.clear();
  arrays.clear();
  pools.clear();
  default_pool = nullptr;
  runtime_retains_primary = false;
  save_strays();
  device_.reset();
  for (Module* const module : modules_to_load) module->load(device());
}

void Session::save_strays() {
  if (!device_) return;
  const std::vector<device::StrayInstruction>& strays = device_->stray_instructions();
  strays_.insert(strays_.end(), strays.begin(), strays.end());
}

void Session::finish() {
  // The library was preloaded into a process that has no kernels and has never used the GPU.
  if (!modules.had_any_module() && !simulation_) return;
  // This is a forked child that has not used the GPU.
  if (!simulation_ && loading_process_ != ::getpid()) return;
  std::fflush(stdout);
  report_once();
}

void Session::report_once() {
  if (std::exchange(is_reported_, true)) return;
  if (beside_host_.is_in_flight()) add_interrupted(kernel_beside_host_);
  save_strays();
  simulation().report({.kernels = kernel_totals_, .fault = fault_, .strays = strays_});
}

void Session::finish_by_signal() {
  try {
    report_once();
  } catch (const std::exception& error) {
    say(error.what());
  }
  simulation_->end_by_signal();
  std::abort();  // Not reached.
}

}  // namespace heddle::cuda
