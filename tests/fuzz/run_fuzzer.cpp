// Fuzzes loading and execution: loads any text and launches its kernels. Both may throw InputError
// or SimulatedFault, and nothing else.

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "device/device.h"
#include "device/loaded_module.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle;
  device::Device device({.memory = {.capacity = std::uint64_t{64} << 20},
                         .heap_bytes = std::uint64_t{1} << 20,
                         .max_warp_instructions = 20'000,
                         .print = [](std::string_view) {}});
  try {
    const device::LoadedModule& module =
        device.load({{.file = "fuzz.ptx", .text = std::string(data, data + size)}});
    for (std::uint32_t i = 0; i < module.program().functions.size(); ++i) {
      const code::FunctionInfo& function = module.program().functions[i];
      if (!function.is_kernel) continue;
      // Every 8-byte parameter gets a buffer's address; each byte of any other parameter is 1.
      device::Arguments arguments;
      for (const code::Parameter& parameter : function.parameters) {
        std::vector<std::byte> bytes(parameter.size, std::byte{1});
        if (parameter.size == 8) {
          arguments.add(device.allocate(4096));
        } else {
          arguments.add_bytes(bytes.data(), bytes.size());
        }
      }
      try {
        device.launch({.module = &module, .function = i},
                      {.grid = {2, 1, 1}, .block = {48, 1, 1}, .dynamic_shared_bytes = 256},
                      arguments);
      } catch (const InputError&) {
        // The launch was rejected; the next kernel may run.
      }
    }
  } catch (const InputError&) {
  } catch (const exec::SimulatedFault&) {
  }
  return 0;
}
