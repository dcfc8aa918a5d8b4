// Programs compiled from CUDA write the same results under every divergence policy as with one
// reconvergence stack per warp.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "base/file.h"
#include "gpu/divergence_setups.h"
#include "gpu/workload_on_chip.h"
#include "source_file.h"

namespace heddle::gpu::test {
namespace {

struct Shape {
  std::uint32_t blocks = 0;
  std::uint32_t threads = 0;
};

struct ProgramOutput {
  std::vector<std::uint32_t> out;
  std::string printed;
};

/// Runs program(in, out, count) of tests/corpus/language.
ProgramOutput run_program(const std::string& name, const Shape& shape, const Machine& machine) {
  ProgramOutput output;
  Chip chip(machine);
  device::DeviceOptions options;
  options.memory.capacity = std::uint64_t{1} << 28;
  options.compile.register_limit_of_kernel = [&](std::string_view) {
    return machine.sm.residency.max_registers(shape.threads);
  };
  options.engine = &chip;
  options.print = [&](std::string_view text) { output.printed += text; };
  device::Device device(std::move(options));
  const std::string file = source_file("tests/corpus/language/" + name + ".ptx");
  const device::LoadedModule& module = device.load({{.file = file, .text = read_file(file)}});
  const std::uint32_t count = shape.blocks * shape.threads;
  std::mt19937 random(5);
  std::vector<std::uint32_t> in(std::size_t{count} * 4);
  for (std::uint32_t& word : in) word = static_cast<std::uint32_t>(random() % 1000 + 4);
  const device::DevicePointer input = device.upload(in);
  const std::size_t results = std::size_t{count} * 64;
  const device::DevicePointer out = device.upload(std::vector<std::uint32_t>(results));
  device.launch_with(
      device.find_kernel(module, "program"),
      {.grid = {shape.blocks}, .block = {shape.threads}, .dynamic_shared_bytes = 4096}, input, out,
      count);
  output.out = device.download<std::uint32_t>(out, results);
  // Blocks print in the order of simulated time; each block's text is the same.
  std::sort(output.printed.begin(), output.printed.end());
  return output;
}

/// For each program that stores a result of `activemask`, the index of that result: thread t stores
/// it in out[index * count + t]. Under dynamic warp formation, lane conflicts can separate threads
/// of a warp, so the mask may have fewer lanes.
const std::map<std::string, std::size_t> kActiveMaskResults{{"cooperative", 5},
                                                            {"warp_functions", 17}};

void clear_active_mask_results(const std::string& program, const Shape& shape,
                               ProgramOutput& output) {
  const auto found = kActiveMaskResults.find(program);
  if (found == kActiveMaskResults.end()) return;
  const std::size_t count = std::size_t{shape.blocks} * shape.threads;
  std::fill_n(output.out.begin() + static_cast<std::ptrdiff_t>(found->second * count), count, 0U);
}

void expect_same_everywhere(const std::string& program, const Shape& shape) {
  for (const std::string& machine : kStackMachines) {
    const ProgramOutput expected = run_program(program, shape, load_machine(machine));
    for (const DivergenceSetup& setup : divergence_setups()) {
      if (setup.machine != machine) continue;
      SCOPED_TRACE(setup.name());
      try {
        const Machine loaded = setup.load();
        ProgramOutput output = run_program(program, shape, loaded);
        ProgramOutput expected_output = expected;
        if (loaded.sm.divergence.policy == "dynamic-formation") {
          clear_active_mask_results(program, shape, output);
          clear_active_mask_results(program, shape, expected_output);
        }
        EXPECT_TRUE(output.out == expected_output.out);
        EXPECT_EQ(output.printed, expected_output.printed);
      } catch (const std::exception& error) {
        ADD_FAILURE() << error.what();
      }
    }
  }
}

/// The programs with the signature program(in, out, count).
const std::vector<std::string> kPrograms{"assertions",
                                         "async_copy",
                                         "barriers",
                                         "bfloat_arithmetic",
                                         "bit_functions",
                                         "calls",
                                         "clocks",
                                         "conversions",
                                         "cooperative",
                                         "device_heap",
                                         "divergence",
                                         "double_math",
                                         "fast_math",
                                         "fences",
                                         "float_math",
                                         "function_pointers",
                                         "global_atomics",
                                         "half_arithmetic",
                                         "initialised_tables",
                                         "inline_assembly",
                                         "local_arrays",
                                         "long_loop",
                                         "narrow_integers",
                                         "packed_integers",
                                         "printing",
                                         "recursion",
                                         "rounding",
                                         "shared_atomics",
                                         "shared_memory",
                                         "small_floats",
                                         "spaces",
                                         "spin_lock",
                                         "stack_allocation",
                                         "switch_table",
                                         "templates_lambdas",
                                         "type_punning",
                                         "vector_access",
                                         "virtual_functions",
                                         "warp_functions",
                                         "warp_reduction",
                                         "wide_integers"};

class LanguagePrograms : public testing::TestWithParam<std::string> {};

TEST_P(LanguagePrograms, LeaveSameMemoryUnderEveryDivergencePolicy) {
  expect_same_everywhere(GetParam(), GetParam() == "barriers" ? Shape{2, 128} : Shape{4, 64});
}

INSTANTIATE_TEST_SUITE_P(, LanguagePrograms, testing::ValuesIn(kPrograms),
                         [](const auto& tested) { return tested.param; });

/// Programs that run with one block size only: they declare an array for that size, or their
/// results depend on the order of atomics.
const std::set<std::string> kFixedBlockSizePrograms{
    "async_copy",     "barriers",      "cooperative", "fences",   "global_atomics",
    "shared_atomics", "shared_memory", "spaces",      "spin_lock"};

std::vector<std::string> programs_of_any_block_size() {
  std::vector<std::string> programs;
  for (const std::string& program : kPrograms) {
    if (!kFixedBlockSizePrograms.contains(program)) programs.push_back(program);
  }
  return programs;
}

class LanguageProgramsWithOtherBlockSizes : public testing::TestWithParam<std::string> {};

TEST_P(LanguageProgramsWithOtherBlockSizes, LeaveSameMemoryUnderEveryDivergencePolicy) {
  std::vector<Shape> shapes{{5, 80}};  // Three warps, the last one half full.
  if (!kSanitized) shapes.insert(shapes.end(), {{5, 48}, {3, 96}, {3, 128}, {2, 320}});
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(shape.threads);
    expect_same_everywhere(GetParam(), shape);
  }
}

INSTANTIATE_TEST_SUITE_P(, LanguageProgramsWithOtherBlockSizes,
                         testing::ValuesIn(programs_of_any_block_size()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace heddle::gpu::test
