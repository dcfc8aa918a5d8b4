// Fuzzes launches: kernels run with any shape and any arguments, functionally or on one of several
// simulated machines. A launch may throw InputError or SimulatedFault, and nothing else. An input
// lists the fields of one to three launches one after another; missing fields are 0.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "base/error.h"
#include "device/device.h"
#include "device/loaded_module.h"
#include "gpu/chip.h"

namespace {

using namespace heddle;

constexpr const char* kKernels = R"(
.version 8.0
.target sm_80
.address_size 64
.extern .shared .align 16 .b8 dynamic[];

// Shared memory at an address from an argument, and a barrier.
.visible .entry share(.param .u64 out, .param .u32 at)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [at];
  mov.u32 %r2, dynamic;
  add.u32 %r3, %r2, %r1;
  mov.u32 %r4, %tid.x;
  st.shared.u32 [%r3], %r4;
  bar.sync 0;
  ld.shared.u32 %r5, [%r3];
  st.global.u32 [%rd1], %r5;
  ret;
}

// Memory of any kind at any address, and an atomic.
.visible .entry touch(.param .u64 first, .param .u64 second, .param .u8 small)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [first];
  ld.param.u64 %rd2, [second];
  ld.param.u8 %r1, [small];
  ld.u64 %rd3, [%rd1];
  atom.add.u32 %r2, [%rd2], %r1;
  st.u64 [%rd1+8], %rd3;
  ret;
}

// A local frame, a loop of any length, diverging threads.
.visible .entry wander(.param .u32 turns, .param .u64 out)
{
  .reg .pred %p<4>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  .local .align 4 .b8 frame[64];
  ld.param.u32 %r1, [turns];
  ld.param.u64 %rd1, [out];
  mov.u32 %r2, %tid.x;
  mov.u64 %rd2, frame;
AGAIN:
  and.b32 %r3, %r2, 60;
  cvt.u64.u32 %rd3, %r3;
  add.u64 %rd4, %rd2, %rd3;
  st.local.u32 [%rd4], %r2;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, %r1;
  @%p1 bra AGAIN;
  bar.sync 0;
  ld.local.u32 %r4, [%rd2];
  st.global.u32 [%rd1], %r4;
  ret;
}

// A texture and a surface of any handle, and a structure of an odd size.
.visible .entry look(.param .u64 texture, .param .align 4 .b8 point[12])
{
  .reg .f32 %f<8>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [texture];
  ld.param.f32 %f1, [point];
  ld.param.f32 %f2, [point+4];
  ld.param.u32 %r1, [point+8];
  tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd1, {%f1, %f2}];
  sust.b.1d.b32.trap [%rd1, {%r1}], %r1;
  ret;
}
)";

constexpr std::array<const char*, 8> kMachines{"storage", "large-warps", "warpman", "ilp",
                                               "uniform", "preexec",     "unified", "coarse"};

/// Reads values from an input. Bytes beyond its end are 0.
class Reader {
 public:
  Reader(const std::uint8_t* data, std::size_t size) : data_(data), bytes_left_(size) {}

  template <class Value>
  Value take() {
    Value value{};
    const std::size_t bytes = std::min(bytes_left_, sizeof value);
    if (bytes != 0) std::memcpy(&value, data_, bytes);
    data_ += bytes;
    bytes_left_ -= bytes;
    return value;
  }
  /// An extent of a grid or block. Half of all extents are small (1 to 4), because a launch with a
  /// very large extent is rejected early.
  std::uint32_t extent() {
    const auto kind = take<std::uint8_t>();
    return kind < 128 ? kind % 4 + 1U : kind < 192 ? take<std::uint16_t>() : take<std::uint32_t>();
  }

 private:
  const std::uint8_t* data_;
  std::size_t bytes_left_;
};

/// Adds a parameter's argument: an address in or near the buffer at `valid`, or any bytes. Rarely,
/// the number of bytes is wrong.
void add_argument(Reader& input, device::DevicePointer valid, std::size_t size,
                  device::Arguments& arguments) {
  const auto kind = input.take<std::uint8_t>();
  if (kind < 128 && size == 8) return arguments.add(valid + input.take<std::uint8_t>());
  const std::array<std::uint64_t, 2> words{input.take<std::uint64_t>(),
                                           input.take<std::uint64_t>()};
  arguments.add_bytes(words.data(), kind > 250 ? kind - 250U : size);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Reader input(data, size);
  const auto machine = input.take<std::uint8_t>();
  std::optional<gpu::Chip> chip;
  if (machine < 200) {
    chip.emplace(gpu::load_machine(kMachines[machine % kMachines.size()], {"chip.sms=2"}),
                 gpu::ChipOptions{.max_cycles = 20'000});
  }
  device::Device device({.memory = {.capacity = std::uint64_t{64} << 20},
                         .heap_bytes = std::uint64_t{1} << 20,
                         .max_warp_instructions = 20'000,
                         .engine = chip ? &*chip : nullptr,
                         .print = [](std::string_view) {}});
  const device::LoadedModule& module = device.load({{.file = "launch.ptx", .text = kKernels}});
  const device::DevicePointer valid = device.allocate(512);
  for (int launches = input.take<std::uint8_t>() % 3 + 1; launches > 0; --launches) {
    const std::uint32_t function =
        input.take<std::uint8_t>() % static_cast<std::uint32_t>(module.program().functions.size());
    const device::LaunchConfiguration configuration{
        .grid = {input.extent(), input.extent(), input.extent()},
        .block = {input.extent(), input.extent(), input.extent()},
        .dynamic_shared_bytes = input.extent(),
        .cooperative = input.take<std::uint8_t>() % 4 == 0};
    device::Arguments arguments;
    for (const code::Parameter& parameter : module.program().functions[function].parameters) {
      add_argument(input, valid, parameter.size, arguments);
    }
    try {
      device.launch({.module = &module, .function = function}, configuration, arguments);
    } catch (const InputError&) {
      // The launch was rejected; the next one may run.
    } catch (const exec::SimulatedFault&) {
      device.reset();
      return 0;
    }
  }
  return 0;
}
