#pragma once

// Measures latencies by reading the clock between instructions. A probe is a kernel whose warps
// store the values of their clock reads.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gpu/chip_run.h"

namespace heddle::gpu::test {

/// One multiprocessor and one memory partition with equal clocks. Fetch never stalls a warp in
/// straight-line code.
inline const Settings kPlain{
    "chip.sms=1",     "clock.core_mhz=1000", "clock.dram_mhz=1000", "clock.interconnect_mhz=1000",
    "fetch.width=8",  "fetch.buffer=16",     "fetch.ports=8",       "fetch.latency=1",
    "icache.bytes=0", "memory.partitions=1"};

/// The parts of a probe's kernel. The compiler moves no instruction across a clock read.
struct Probe {
  /// Code before the measurement. It may use %lane; %thread and %warp (numbers in the block);
  /// %block; %data, the address of 2 MiB of words, each of which holds its index; %result, the
  /// address of zeroed words; and registers %r, %f, %d, %rd, %l and %p with numbers from 0 to 57.
  std::string setup = {};
  /// The measured code. clock(n) is the text that reads the clock into %cn.
  std::string body;
  int stamps = 2;  ///< The number of clock values that are stored, from %c0 on.
  /// Registers that are stored at the end, so that the compiler does not drop the code that writes
  /// them.
  std::vector<std::string> keep = {};
  std::string declarations = {};  ///< Module-level declarations before the kernel.
  std::string locals = {};        ///< Declarations at the begin of the kernel's body.
  /// Returns pairs of an address and the pointer to store there. %start is the address of the first
  /// pair. `data` is the value of %data.
  std::function<std::vector<std::pair<std::uint64_t, std::uint64_t>>(std::uint64_t data)> pointers =
      {};
};

/// Reads the clock into %c<number>.
inline std::string clock(int number) {
  return "mov.u32 %c" + std::to_string(number) + ", %clock;\n";
}

/// `text`, repeated; "#" is replaced by the number of the repetition, from 0.
inline std::string repeat(int times, const std::string& text) {
  std::string repeated;
  for (int i = 0; i < times; ++i) {
    for (const char c : text) repeated += c == '#' ? std::to_string(i) : std::string(1, c);
  }
  return repeated;
}

/// `count` register names: the prefix and a number, from `first` on.
inline std::vector<std::string> registers(const std::string& prefix, int count, int first = 0) {
  std::vector<std::string> names;
  for (int i = first; i < first + count; ++i) names.push_back(prefix + std::to_string(i));
  return names;
}

/// Runs a probe and holds its measurements.
class ProbeRun {
 public:
  static constexpr std::uint64_t kDataBytes = std::uint64_t{2} << 20;
  static constexpr int kMaxStamps = 40;
  /// The address of a word that every warp loads before its measurement. It lies after the data,
  /// and in another DRAM bank than the first word of the data.
  static std::uint64_t sink_of(std::uint64_t data) { return data + kDataBytes + 5 * 4096; }

  template <std::same_as<Machine> MachineType>
  ProbeRun(const Probe& probe, const MachineType& machine, std::uint32_t warps = 1,
           std::uint32_t blocks = 1)
      : warps_(warps), chip_(text_of(probe), machine) {
    device::Device& device = chip_.device();
    // Aligned, so that the data's first bank and row are known.
    const std::uint64_t data =
        (device.allocate(2 * kAlignment + kDataBytes) + kAlignment - 1) / kAlignment * kAlignment;
    std::vector<std::uint32_t> words(kDataBytes / 4);
    std::iota(words.begin(), words.end(), 0U);
    device.copy_to_device(data, std::as_bytes(std::span(words)));
    device.set(sink_of(data), 0, kSinkBytes);
    std::uint64_t start = data;
    if (probe.pointers) {
      const auto pointers = probe.pointers(data);
      start = pointers.front().first;
      for (const auto& [at, to] : pointers) {
        device.copy_to_device(at, std::as_bytes(std::span(&to, 1)));
      }
    }
    result_ = chip_.zeros<std::uint32_t>(kResultWords);
    const std::size_t stamps = std::size_t{warps} * blocks * kMaxStamps;
    const device::DevicePointer clocks = chip_.zeros<std::uint32_t>(stamps);
    chip_.launch("probe", {blocks, 1, 1}, {warps * 32, 1, 1}, clocks, data, result_, sink_of(data),
                 start);
    stamps_ = chip_.download<std::uint32_t>(clocks, stamps);
  }
  explicit ProbeRun(const Probe& probe, const Settings& settings = {}, std::uint32_t warps = 1,
                    std::uint32_t blocks = 1)
      : ProbeRun(probe, machine_of(kPlain + settings), warps, blocks) {}

  /// The cycle in which the warp read the clock into %c<n>.
  std::uint32_t stamp(int n, std::uint32_t warp = 0, std::uint32_t block = 0) const {
    return stamps_[(std::size_t{block} * warps_ + warp) * kMaxStamps + static_cast<std::size_t>(n)];
  }
  /// Cycles from the warp's n-th clock read to the next one.
  std::uint32_t cycles(int n = 0, std::uint32_t warp = 0, std::uint32_t block = 0) const {
    return stamp(n + 1, warp, block) - stamp(n, warp, block);
  }
  std::uint64_t counter(std::string_view name) const { return chip_.counter(name); }
  /// Words that the kernel stored at %result.
  std::vector<std::uint32_t> result(std::size_t count) {
    return chip_.download<std::uint32_t>(result_, count);
  }
  const ChipRun& chip() const { return chip_; }

 private:
  static constexpr std::uint64_t kAlignment = std::uint64_t{1} << 20;
  static constexpr std::uint64_t kSinkBytes = 64;
  static constexpr std::size_t kResultWords = 65536;

  static std::string text_of(const Probe& probe) {
    static const std::map<char, std::string> types{
        {'r', "u32"}, {'f', "f32"}, {'d', "f64"}, {'l', "u64"}, {'c', "u32"}};
    std::string text = R"(
.version 8.0
.target sm_80
.address_size 64
)" + probe.declarations +
                       R"(
.visible .entry probe(.param .u64 stamps, .param .u64 data, .param .u64 result, .param .u64 sink,
                      .param .u64 start)
{
  .reg .pred %p<60>, %first;
  .reg .b32 %r<60>, %c<60>, %lane, %warp, %warps, %thread, %block, %settled, %number;
  .reg .b64 %l<60>, %rd<60>, %data, %result, %stamps, %sink, %start;
  .reg .f32 %f<60>;
  .reg .f64 %d<60>;
)" + probe.locals + R"(
  ld.param.u64 %data, [data];
  ld.param.u64 %result, [result];
  ld.param.u64 %stamps, [stamps];
  ld.param.u64 %sink, [sink];
  ld.param.u64 %start, [start];
  mov.u32 %thread, %tid.x;
  and.b32 %lane, %thread, 31;
  shr.u32 %warp, %thread, 5;
  mov.u32 %block, %ctaid.x;
  mov.u32 %warps, %ntid.x;
  shr.u32 %warps, %warps, 5;
  mad.lo.u32 %number, %block, %warps, %warp;
  mul.lo.u32 %number, %number, )" +
                       std::to_string(4 * kMaxStamps) + R"(;
  cvt.u64.u32 %l59, %number;
  add.u64 %stamps, %stamps, %l59;
  setp.eq.u32 %first, %lane, 0;
)";
    text += probe.setup;
    // Two volatile loads, the second of which depends on the first: when it completes, everything
    // above has completed. The first word stays 0, because other warps may use it as an offset
    // later.
    text += R"(
  ld.volatile.global.u32 %settled, [%sink];
  cvt.u64.u32 %l58, %settled;
  add.u64 %l58, %l58, %sink;
  ld.volatile.global.u32 %settled, [%l58];
  add.u32 %settled, %settled, 1;
)";
    text += probe.body;
    for (int i = 0; i < probe.stamps; ++i) {
      text += "@%first st.global.u32 [%stamps+" + std::to_string(4 * i) + "], %c" +
              std::to_string(i) + ";\n";
    }
    text += "@%first st.global.u32 [%sink+4], %settled;\n";
    for (const std::string& name : probe.keep) {
      const std::string& type = types.at(name.starts_with("%rd") ? 'l' : name[1]);
      text += "@%first st.global." + type + " [%sink+8], " + name + ";\n";
    }
    return text + "ret;\n}\n";
  }

  std::uint32_t warps_;
  ChipRun chip_;
  device::DevicePointer result_ = 0;
  std::vector<std::uint32_t> stamps_;
};

}  // namespace heddle::gpu::test
