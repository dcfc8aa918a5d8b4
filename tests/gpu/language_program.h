#pragma once

// Runs programs of tests/corpus/language on a chip. Their kernel program(in, out, count) has one
// thread per element.

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "device/device.h"
#include "exec/engine.h"
#include "source_file.h"

namespace heddle::gpu::test {

struct LanguageOutput {
  std::vector<std::uint32_t> out;
  std::string printed;
};

inline constexpr std::uint32_t kLanguageBlocks = 6;
inline constexpr std::uint32_t kLanguageThreads = 64;

/// Runs the program on `engine`; if that is null, the run is functional.
inline LanguageOutput run_language_program(const std::string& name, exec::Engine* engine) {
  constexpr std::uint32_t kCount = kLanguageBlocks * kLanguageThreads;
  constexpr std::size_t kResults = std::size_t{kCount} * 64;
  LanguageOutput output;
  device::Device device({.memory = {.capacity = std::uint64_t{1} << 28},
                         .engine = engine,
                         .print = [&](std::string_view text) { output.printed += text; }});
  const std::string file = source_file("tests/corpus/language/" + name + ".ptx");
  const device::LoadedModule& module = device.load({{.file = file, .text = read_file(file)}});
  std::mt19937 random(5);
  std::vector<std::uint32_t> in(kCount * 4);
  for (std::uint32_t& word : in) word = static_cast<std::uint32_t>(random() % 1000 + 4);
  const device::DevicePointer input = device.upload(in);
  const device::DevicePointer out = device.upload(std::vector<std::uint32_t>(kResults));
  device.launch_with(
      device.find_kernel(module, "program"),
      {.grid = {kLanguageBlocks}, .block = {kLanguageThreads}, .dynamic_shared_bytes = 4096}, input,
      out, kCount);
  output.out = device.download<std::uint32_t>(out, kResults);
  return output;
}

}  // namespace heddle::gpu::test
