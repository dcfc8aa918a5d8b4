#pragma once

// A prepared launch whose blocks a test makes and executes itself.

#include <memory>
#include <string>
#include <vector>

#include "device/ptx_text.h"
#include "device/stepped_run.h"
#include "sm/grid.h"

namespace heddle::sm {

/// A grid of 1024 blocks of `threads` threads. The kernel is kernel_of(body), and its argument is
/// an array of `words` zeroed words.
class LaunchedGrid {
 public:
  explicit LaunchedGrid(const std::string& body, std::uint32_t threads = 32,
                        std::size_t words = 1024)
      : module(device.load({{.file = "test.ptx", .text = device::test::kernel_of(body)}})),
        memory(device.upload(std::vector<std::uint32_t>(words))),
        prepared(device, device.find_kernel(module, "k"), {.grid = {1024}, .block = {threads}},
                 arguments()),
        grid{.launch = &prepared.launch,
             .table = IssueTable(*prepared.launch.program),
             .needs = {.warps = (threads + 31) / 32},
             .number = 0} {}

  device::Device device{device::DeviceOptions{.memory = {.capacity = std::uint64_t{1} << 24}}};
  const device::LoadedModule& module;
  device::DevicePointer memory;
  device::test::PreparedLaunch prepared;
  Grid grid;

 private:
  device::Arguments arguments() const {
    device::Arguments values;
    values.add(memory);
    return values;
  }
};

}  // namespace heddle::sm
