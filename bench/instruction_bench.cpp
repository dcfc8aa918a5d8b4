// Benchmarks of single instructions in functional execution. A kernel repeats one instruction, and
// the counter time_per_instruction is the host's time for one warp instruction of that kind. It
// includes the loop around the instruction: three instructions for each 32 of the measured ones.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "device/device.h"
#include "device/loaded_module.h"
#include "exec/texture/array_storage.h"
#include "exec/texture/texture_unit.h"

namespace heddle {
namespace {

constexpr std::uint32_t kThreads = 256;
constexpr std::uint32_t kWarps = kThreads / 32;
constexpr int kRepetitions = 32;
constexpr int kTurns = 200;

/// What a benchmark repeats.
struct Repeated {
  std::string instruction;     ///< PTX; may be several instructions, which count as one.
  std::string before = {};     ///< PTX that sets registers.
  std::string functions = {};  ///< PTX before the kernel.
};

/// The kernel `k`, with a pointer and a texture as parameters. Its registers:
///   %rd1  the pointer
///   %rd2  the texture
///   %rd3  the address of the thread's word behind the pointer
///   %rd4  the address of the word behind the pointer that all threads of the block share
///   %r1   the thread's number
///   %r2   the address of the thread's word in shared memory
///   %r3   an address in shared memory, the same for all threads
///   %r4   without a texture 0; the compiler does not know it
std::string kernel_of(const Repeated& repeated) {
  std::string body;
  for (int i = 0; i < kRepetitions; ++i) body += repeated.instruction;
  return fmt::format(R"(
.version 8.0
.target sm_90
.address_size 64
{}
.visible .entry k(.param .u64 pointer, .param .u64 texture)
{{
  .reg .pred %p<4>;
  .reg .b16 %h<8>;
  .reg .b32 %r<20>;
  .reg .b64 %rd<20>;
  .reg .f32 %f<20>;
  .reg .f64 %d<8>;
  .shared .align 16 .b8 words[{}];
  ld.param.u64 %rd1, [pointer];
  ld.param.u64 %rd2, [texture];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd3, %rd1, %rd3;
  add.u64 %rd4, %rd1, {};
  cvt.u32.u64 %r4, %rd2;
  mov.u32 %r3, words;
  shl.b32 %r2, %r1, 2;
  add.u32 %r2, %r2, %r3;
  {}
  mov.u32 %r19, 0;
turn:
  {}
  add.u32 %r19, %r19, 1;
  setp.lt.u32 %p3, %r19, {};
  @%p3 bra turn;
  st.global.u32 [%rd3], %r10;
  st.global.f32 [%rd3], %f1;
  st.global.f64 [%rd1], %d1;
  ret;
}}
)",
                     repeated.functions, kThreads * 4, kThreads * 4, repeated.before, body, kTurns);
}

/// Reports the time of one of the `instructions` that an iteration executes.
void report_time(benchmark::State& state, std::uint64_t instructions) {
  state.counters["time_per_instruction"] = benchmark::Counter(
      static_cast<double>(instructions),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void measure(benchmark::State& state, device::Device& device, const Repeated& repeated,
             std::uint64_t texture = 0) {
  const device::LoadedModule& module =
      device.load({{.file = "instruction_bench.ptx", .text = kernel_of(repeated)}});
  const device::Kernel kernel = device.find_kernel(module, "k");
  const device::DevicePointer words = device.upload(std::vector<std::uint32_t>(kThreads + 1));
  for (auto _ : state) {
    device.launch_with(kernel, {.grid = {1, 1, 1}, .block = {kThreads, 1, 1}}, words, texture);
  }
  report_time(state, std::uint64_t{kWarps} * kRepetitions * kTurns);
}

void add(const std::string& name, const Repeated& repeated) {
  benchmark::RegisterBenchmark(("instruction/" + name).c_str(), [repeated](
                                                                    benchmark::State& state) {
    device::Device device;
    measure(state, device, repeated);
  })->Unit(benchmark::kMillisecond);
}

/// A texture of 128 x 128 texels, and how a kernel reads it.
struct TextureRead {
  exec::ChannelFormat format;
  exec::FilterMode filter = exec::FilterMode::point;
  exec::AddressMode mode = exec::AddressMode::clamp;
};

/// Fills the texture with random coordinates: the red channel of each texel is the next coordinate
/// at which the kernel reads.
void fill(exec::ArrayStorage& array, std::uint32_t height) {
  std::mt19937 random(1);
  for (std::uint32_t y = 0; y < height; ++y) {
    std::vector<std::byte> row(array.row_bytes());
    if (array.format().kind == exec::ChannelKind::floating) {
      for (std::size_t i = 0; i < row.size(); i += sizeof(float)) {
        const float texel = static_cast<float>(random() % 4096) / 4096;
        std::memcpy(&row[i], &texel, sizeof texel);
      }
    } else {
      for (std::byte& texel : row) texel = static_cast<std::byte>(random() % 256);
    }
    array.write_row(row, 0, y);
  }
}

void add_texture(const std::string& name, const TextureRead& read) {
  constexpr std::uint32_t kExtent = 128;
  const auto run = [read](benchmark::State& state) {
    device::Device device;
    exec::ArrayStorage array(device.memory(), {.width = kExtent, .height = kExtent}, read.format);
    fill(array, kExtent);
    exec::SamplerDescription sampler;
    sampler.address_modes.fill(read.mode);
    sampler.filter = read.filter;
    sampler.normalized_float = read.format.kind != exec::ChannelKind::floating;
    sampler.normalized_coordinates = true;
    const std::uint64_t texture =
        device.textures().create_texture(exec::ArrayResource{&array}, sampler);
    measure(state, device,
            {.instruction = "tex.2d.v4.f32.f32 {%f10, %f1, %f2, %f3}, [%rd2, {%f10, %f11}];\n",
             .before = "cvt.rn.f32.u32 %f12, %r1;\n"
                       "mul.f32 %f10, %f12, 0f3b000000;\n"
                       "mul.f32 %f11, %f12, 0f3bc00000;\n"},
            texture);
  };
  benchmark::RegisterBenchmark(("instruction/" + name).c_str(), run)->Unit(benchmark::kMillisecond);
}

void add_textures() {
  using exec::AddressMode;
  using exec::ChannelKind;
  using exec::FilterMode;
  constexpr exec::ChannelFormat kFloat{ChannelKind::floating, 32, 1};
  constexpr exec::ChannelFormat kFloat4{ChannelKind::floating, 32, 4};
  constexpr exec::ChannelFormat kBytes4{ChannelKind::unsigned_integer, 8, 4};
  add_texture("texture/point/f32", {.format = kFloat});
  add_texture("texture/point/f32/wrap", {.format = kFloat, .mode = AddressMode::wrap});
  add_texture("texture/point/4xu8", {.format = kBytes4});
  add_texture("texture/linear/f32", {.format = kFloat, .filter = FilterMode::linear});
  add_texture("texture/linear/f32/wrap",
              {.format = kFloat, .filter = FilterMode::linear, .mode = AddressMode::wrap});
  add_texture("texture/linear/4xf32", {.format = kFloat4, .filter = FilterMode::linear});
  add_texture("texture/linear/4xu8", {.format = kBytes4, .filter = FilterMode::linear});
}

/// Registers an atomic without conflicts, and the same one with all threads at one address.
void add_atomic(const std::string& name, const std::string& each, const std::string& same) {
  constexpr const char* kOperands = "mov.u32 %r11, 3;\nmov.f32 %f2, 0f3f800000;\n";
  add("atomic/" + name, {.instruction = each, .before = kOperands});
  add("atomic/" + name + "/one_address", {.instruction = same, .before = kOperands});
}

void add_memory() {
  add("cp_async", {.instruction = "cp.async.ca.shared.global [%r2], [%rd3], 4;\n"
                                  "cp.async.commit_group;\n"
                                  "cp.async.wait_group 0;\n"});
  add_atomic("atom.shared.add.u32", "atom.shared.add.u32 %r10, [%r2], %r11;\n",
             "atom.shared.add.u32 %r10, [%r3], %r11;\n");
  add_atomic("atom.global.add.f32", "atom.global.add.f32 %f1, [%rd3], %f2;\n",
             "atom.global.add.f32 %f1, [%rd4], %f2;\n");
  add_atomic("atom.global.cas.b32", "atom.global.cas.b32 %r10, [%rd3], %r10, %r11;\n",
             "atom.global.cas.b32 %r10, [%rd4], %r10, %r11;\n");
  add_atomic("red.global.add.u32", "red.global.add.u32 [%rd3], %r11;\n",
             "red.global.add.u32 [%rd4], %r11;\n");
}

void add_control() {
  add("call_and_return", {.instruction = "call (%r10), identity, (%r10);\n",
                          .functions = ".func (.reg .u32 %result) identity(.reg .u32 %value)\n"
                                       "{\n  mov.u32 %result, %value;\n  ret;\n}\n"});
  add("bar_sync", {.instruction = "bar.sync 0;\n"});
}

/// PTX that sets the f32 registers %f1, %f2 and %f3 to values with these bits.
std::string set_floats(std::uint32_t f1, std::uint32_t f2, std::uint32_t f3) {
  std::string out;
  int number = 1;
  for (const std::uint32_t bits : {f1, f2, f3}) {
    out += fmt::format("or.b32 %r12, %r4, {};\nmov.b32 %f{}, %r12;\n", bits, number++);
  }
  return out;
}

/// Registers arithmetic whose operands and results are normal, and the same with subnormals.
void add_arithmetic() {
  add("fma.f16x2", {.instruction = "fma.rn.f16x2 %r10, %r10, %r11, %r12;\n",
                    .before = "or.b32 %r10, %r4, 0x3c003c00;\nor.b32 %r11, %r4, 0x38003800;\n"
                              "or.b32 %r12, %r4, 0x3c003c00;\n"});
  struct Form {
    const char* name;
    const char* instruction;
  };
  constexpr Form kForms[] = {{"add.f32", "add.f32 %f1, %f1, %f3;\n"},
                             {"mul.f32", "mul.f32 %f1, %f1, %f2;\n"},
                             {"fma.f32", "fma.rn.f32 %f1, %f1, %f2, %f3;\n"},
                             {"fma.ftz.f32", "fma.rn.ftz.f32 %f1, %f1, %f2, %f3;\n"}};
  // With the factor 1 and a small summand, values stay normal or subnormal for all repetitions.
  constexpr std::uint32_t kOne = 0x3f80'0000;
  for (const Form& form : kForms) {
    const std::string name = std::string("arithmetic/") + form.name;
    add(name, {.instruction = form.instruction, .before = set_floats(kOne, kOne, kOne)});
    add(name + "/subnormal",
        {.instruction = form.instruction, .before = set_floats(0x0001'2345, kOne, 0x23)});
  }
}

/// Registers the start of a grid whose threads end at once.
void add_start(const std::string& name, const Dim3& block) {
  constexpr std::uint32_t kBlocks = 4096;
  const auto run = [block](benchmark::State& state) {
    device::Device device;
    const device::LoadedModule& module =
        device.load({{.file = "instruction_bench.ptx",
                      .text = ".version 8.0\n.target sm_90\n.address_size 64\n"
                              ".visible .entry k(.param .u64 pointer)\n{\n  ret;\n}\n"}});
    const device::Kernel kernel = device.find_kernel(module, "k");
    for (auto _ : state) {
      device.launch_with(kernel, {.grid = {kBlocks, 1, 1}, .block = block}, std::uint64_t{0});
    }
    report_time(state, kBlocks * ((block.count() + 31) / 32));
  };
  benchmark::RegisterBenchmark(("instruction/" + name).c_str(), run)->Unit(benchmark::kMillisecond);
}

const bool registered = [] {
  add_start("start_warp/256", {kThreads, 1, 1});
  add_start("start_warp/16x16", {16, 16, 1});
  add_start("start_warp/8x8x3", {8, 8, 3});
  add_textures();
  add_memory();
  add_control();
  add_arithmetic();
  return true;
}();

}  // namespace
}  // namespace heddle
