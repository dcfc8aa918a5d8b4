#include "device/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <list>

#include "base/error.h"
#include "base/file.h"
#include "base/nearest.h"
#include "device/launch_check.h"
#include "device/loaded_module.h"
#include "device/occupancy.h"
#include "exec/fault/fault_report.h"
#include "exec/grid.h"
#include "exec/launch.h"
#include "exec/system/device_heap.h"
#include "exec/system/system_services.h"

namespace heddle::device {
namespace {

void print_to_standard_output(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace

struct Device::State {
  explicit State(const DeviceOptions& options)
      : memory(options.memory),
        textures(memory),
        heap(memory, options.heap_bytes),
        services(options.print ? options.print : print_to_standard_output, heap) {}

  exec::GlobalMemory memory;
  exec::TextureUnit textures;
  exec::DeviceHeap heap;
  exec::SystemServices services;
  std::list<LoadedModule> modules;
  std::uint64_t launch_count = 0;
  DevicePointer grid_workspace = 0;  ///< Allocated by the first cooperative launch.
  std::optional<exec::SimulatedFault> fault;

  void throw_if_faulted() const {
    if (fault) throw *fault;
  }
  /// The memory in which the blocks of a cooperative launch synchronise, cleared to 0.
  DevicePointer fresh_grid_workspace() {
    constexpr std::uint64_t kBytes = 64;
    if (grid_workspace == 0) {
      grid_workspace = memory.allocate(kBytes, {.name = "the workspace of cooperative launches"});
    }
    memory.fill(grid_workspace, 0, kBytes);
    return grid_workspace;
  }
  /// Throws InputError if the module is not loaded.
  std::list<LoadedModule>::iterator find(const LoadedModule& module) {
    const auto found = std::find_if(modules.begin(), modules.end(),
                                    [&](const LoadedModule& m) { return &m == &module; });
    if (found == modules.end()) throw InputError("the module is not loaded");
    return found;
  }
};

Device::Device(DeviceOptions options)
    : options_(std::move(options)), state_(std::make_unique<State>(options_)) {}
Device::~Device() = default;

void Device::reset() {
  // The old state must be freed first: the new one may reserve the same addresses.
  state_.reset();
  state_ = std::make_unique<State>(options_);
}
void Device::set_heap_bytes(std::uint64_t bytes) {
  state_->throw_if_faulted();
  state_->heap.set_bytes(bytes);
  options_.heap_bytes = bytes;
}
void Device::synchronize() const { state_->throw_if_faulted(); }
exec::TextureUnit& Device::textures() { return state_->textures; }
exec::GlobalMemory& Device::memory() { return state_->memory; }

DevicePointer Device::allocate(std::uint64_t bytes, std::string_view name) {
  state_->throw_if_faulted();
  return state_->memory.allocate(bytes, {.name = std::string(name)});
}

void Device::free(DevicePointer pointer) {
  state_->throw_if_faulted();
  if (pointer != 0) state_->memory.free(pointer);
}

void Device::copy_to_device(DevicePointer to, std::span<const std::byte> from) {
  state_->throw_if_faulted();
  state_->memory.write(to, from);
}

void Device::copy_from_device(std::span<std::byte> to, DevicePointer from) const {
  state_->throw_if_faulted();
  state_->memory.read(from, to);
}

void Device::copy_within_device(DevicePointer to, DevicePointer from, std::uint64_t bytes) {
  state_->throw_if_faulted();
  state_->memory.copy(to, from, bytes);
}

void Device::set(DevicePointer to, std::uint8_t value, std::uint64_t bytes) {
  state_->throw_if_faulted();
  state_->memory.fill(to, value, bytes);
}

const LoadedModule& Device::load(const std::vector<PtxSource>& sources) {
  state_->throw_if_faulted();
  // Loading may fail; the list therefore receives only a module that is loaded completely.
  const auto observation =
      options_.access_observers != nullptr ? exec::Observation::accesses : exec::Observation::none;
  LoadedModule module = LoadedModule::load(sources, options_.compile, state_->memory, observation);
  return state_->modules.emplace_back(std::move(module));
}

const LoadedModule& Device::load_file(const std::string& path) {
  return load({{.file = path, .text = read_file(path)}});
}

void Device::compile_again(const LoadedModule& module, const std::vector<PtxSource>& sources,
                           const code::CompileOptions& options) {
  state_->throw_if_faulted();
  state_->find(module)->compile_again(sources, options);
}

void Device::unload(const LoadedModule& module) {
  state_->throw_if_faulted();
  const auto found = state_->find(module);
  found->release(state_->memory);
  state_->modules.erase(found);
}

Kernel Device::find_kernel(const LoadedModule& module, std::string_view name) const {
  std::vector<std::string> known;
  const std::vector<code::FunctionInfo>& functions = module.program().functions;
  for (std::uint32_t i = 0; i < functions.size(); ++i) {
    if (!functions[i].is_kernel) continue;
    if (functions[i].name == name) return {.module = &module, .function = i};
    known.push_back(functions[i].name);
  }
  throw InputError(fmt::format("unknown kernel '{}'{}", name, suggestion(name, known)));
}

std::optional<Symbol> Device::find_symbol(const LoadedModule& module, std::string_view name) const {
  return module.find_symbol(name);
}

LaunchResult Device::launch(Kernel kernel, const LaunchConfiguration& configuration,
                            const Arguments& arguments) {
  state_->throw_if_faulted();
  const code::FunctionInfo& info = kernel.module->program().functions[kernel.function];
  check_launch(kernel.module->program(), info, configuration, options_);

  exec::Launch launch;
  launch.program = &kernel.module->program();
  launch.code = &kernel.module->decoded();
  launch.function = kernel.function;
  launch.grid = configuration.grid;
  launch.block = configuration.block;
  launch.dynamic_shared_bytes = configuration.dynamic_shared_bytes;
  launch.local_bytes = stack_bytes(info, options_);
  launch.grid_id = ++state_->launch_count;
  if (configuration.cooperative) {
    check_cooperative(launch, options_);
    launch.grid_workspace = state_->fresh_grid_workspace();
  }
  launch.parameters = lay_out(info, arguments);
  launch.memory = &state_->memory;
  launch.textures = &state_->textures;
  launch.services = &state_->services;
  launch.profile = configuration.profile;
  launch.max_warp_instructions = options_.max_warp_instructions;
  launch.notice = options_.notice;
  if (configuration.may_wait_for_host) launch.wait_for_host = options_.wait_for_host;
  exec::fill_constants(launch);
  std::unique_ptr<exec::AccessObserver> observer;
  if (options_.access_observers != nullptr) {
    observer = options_.access_observers->begin_launch(launch);
    launch.access_observer = observer.get();
  }
  try {
    const exec::GridResult result = options_.engine != nullptr
                                        ? options_.engine->run(launch)
                                        : exec::run_grid(launch, options_.progress);
    collect_strays(kernel);
    return {.warp_instructions = result.warp_instructions,
            .thread_instructions = result.thread_instructions};
  } catch (const exec::SimulatedFault& fault) {
    collect_strays(kernel);
    state_->fault = fault;
    throw;
  }
}

std::uint64_t Device::resident_blocks(Kernel kernel, const Dim3& block) const {
  exec::Launch launch;
  launch.program = &kernel.module->program();
  launch.function = kernel.function;
  launch.block = block;
  if (options_.engine != nullptr) return options_.engine->resident_blocks(launch);
  const Occupancy occupancy =
      occupancy_of(kGtx480Sm, {.threads = static_cast<std::uint32_t>(block.count()),
                               .registers_per_thread = launch.info().registers_per_thread,
                               .shared_bytes = launch.shared_bytes()});
  return std::uint64_t{kGtx480SmCount} * occupancy.blocks;
}

void Device::collect_strays(const Kernel& kernel) {
  const code::Program& program = kernel.module->program();
  const std::string& name = program.functions[kernel.function].name;
  for (const auto& [instruction, count] : state_->memory.strays().take()) {
    std::string place = exec::place_of(program, instruction);
    auto entry = std::find_if(stray_instructions_.begin(), stray_instructions_.end(),
                              [&](const StrayInstruction& stray) {
                                return stray.kernel == name && stray.place == place;
                              });
    if (entry == stray_instructions_.end()) {
      entry = stray_instructions_.insert(entry,
                                         {.kernel = name, .place = std::move(place), .count = {}});
    }
    entry->count += count;
  }
}

}  // namespace heddle::device
