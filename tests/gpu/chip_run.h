#pragma once

// Runs PTX on a timed chip. The chip's machine has default parameters, changed by the test's
// settings.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/declarations.h"
#include "config/set_parameter.h"
#include "device/device.h"
#include "device/loaded_module.h"
#include "gpu/chip.h"
#include "gpu/machine.h"

namespace heddle::gpu::test {

/// Parameters as "key=value"; a later element overrides an earlier one.
using Settings = std::vector<std::string>;

inline Settings operator+(Settings first, const Settings& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// The machine with default parameters, except for `settings`.
inline Machine machine_of(const Settings& settings = {}) {
  Machine machine;
  machine.name = "test";
  config::Declarations parameters;
  machine.declare(parameters);
  for (const std::string& setting : settings) config::set_parameter(parameters, setting);
  machine.check();
  return machine;
}

/// A device whose launches run on a chip.
class ChipRun {
 public:
  // The constraint makes an argument list in braces select the constructor from settings.
  template <std::same_as<Machine> MachineType>
  explicit ChipRun(const MachineType& machine, ChipOptions options = {})
      : chip_(machine, std::move(options)),
        device_({.compile = machine.compile_options(), .engine = &chip_}) {}
  explicit ChipRun(const Settings& settings) : ChipRun(machine_of(settings)) {}
  template <std::same_as<Machine> MachineType>
  ChipRun(const std::string& ptx, const MachineType& machine, ChipOptions options = {})
      : ChipRun(machine, std::move(options)) {
    load(ptx);
  }
  ChipRun(const std::string& ptx, const Settings& settings) : ChipRun(ptx, machine_of(settings)) {}

  device::Device& device() { return device_; }
  Chip& chip() { return chip_; }

  /// Later launches use this module.
  void load(const std::string& ptx) {
    module_ = &device_.load({{.file = "test.ptx", .text = ptx}});
  }
  const code::Program& program() const { return module_->program(); }

  /// Allocates an array of `count` zeros.
  template <class T>
  device::DevicePointer zeros(std::size_t count) {
    const device::DevicePointer pointer = device_.allocate(count * sizeof(T));
    device_.set(pointer, 0, count * sizeof(T));
    return pointer;
  }
  template <class T>
  device::DevicePointer upload(const std::vector<T>& values) {
    return device_.upload(values);
  }
  template <class T>
  std::vector<T> download(device::DevicePointer from, std::size_t count) {
    return device_.download<T>(from, count);
  }

  template <class... Values>
  const KernelRun& launch(std::string_view kernel, Dim3 grid, Dim3 block, const Values&... values) {
    device_.launch_with(device_.find_kernel(*module_, kernel), {.grid = grid, .block = block},
                        values...);
    return last_launch();
  }

  const KernelRun& last_launch() const { return chip_.runs().back(); }
  std::uint64_t cycles() const { return last_launch().cycles.count; }
  /// A counter of the most recent launch. Throws if the chip has no counter of that name.
  std::uint64_t counter(std::string_view name) const { return counter(last_launch(), name); }
  std::uint64_t counter(const KernelRun& run, std::string_view name) const {
    const std::vector<CounterName>& names = chip_.counters();
    const auto found = std::find_if(names.begin(), names.end(),
                                    [&](const CounterName& known) { return known.name == name; });
    if (found == names.end()) {
      throw std::invalid_argument("no counter '" + std::string(name) + "'");
    }
    return run.counters[static_cast<std::size_t>(found - names.begin())];
  }

 private:
  Chip chip_;
  device::Device device_;
  const device::LoadedModule* module_ = nullptr;
};

}  // namespace heddle::gpu::test
