// Programs compiled from CUDA leave in memory what they leave with a stack for every warp, however
// their threads travel together.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "base/file.h"
#include "gpu/ways_to_diverge.h"
#include "gpu/workload_on_chip.h"
#include "source_file.h"

namespace heddle::gpu::test {
namespace {

struct Shape {
  std::uint32_t blocks = 0;
  std::uint32_t threads = 0;
};

struct Left {
  std::vector<std::uint32_t> out;
  std::string printed;
};

/// program(in, out, count) of tests/corpus/language.
Left run_program(const std::string& name, const Shape& shape, const Machine& machine) {
  Left left;
  Chip chip(machine);
  device::DeviceOptions options;
  options.memory.capacity = std::uint64_t{1} << 28;
  options.compile.registers_of_kernel = [&](std::string_view) {
    return machine.sm.residency.most_registers(shape.threads);
  };
  options.engine = &chip;
  options.print = [&](std::string_view text) { left.printed += text; };
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
  left.out = device.download<std::uint32_t>(out, results);
  // Blocks print in the order of time; what each prints is the same.
  std::sort(left.printed.begin(), left.printed.end());
  return left;
}

/// Results of an `activemask`, by their number in out[number * count + thread]: a warp's threads
/// that some conflict of lanes has kept apart find fewer of their fellows with them.
const std::map<std::string, std::size_t> kTellsWhoIsThere{{"cooperative", 5},
                                                          {"warp_functions", 17}};

void forget_who_was_there(const std::string& program, const Shape& shape, Left& left) {
  const auto found = kTellsWhoIsThere.find(program);
  if (found == kTellsWhoIsThere.end()) return;
  const std::size_t count = std::size_t{shape.blocks} * shape.threads;
  std::fill_n(left.out.begin() + static_cast<std::ptrdiff_t>(found->second * count), count, 0U);
}

void expect_same_everywhere(const std::string& program, const Shape& shape) {
  for (const std::string& machine : kStackMachines) {
    const Left expected = run_program(program, shape, load_machine(machine));
    for (const WayToDiverge& way : ways_to_diverge()) {
      if (way.machine != machine) continue;
      SCOPED_TRACE(way.name());
      try {
        const Machine described = way.described();
        Left left = run_program(program, shape, described);
        Left wanted = expected;
        if (described.sm.divergence.policy == "dynamic-formation") {
          forget_who_was_there(program, shape, left);
          forget_who_was_there(program, shape, wanted);
        }
        EXPECT_TRUE(left.out == wanted.out);
        EXPECT_EQ(left.printed, wanted.printed);
      } catch (const std::exception& error) {
        ADD_FAILURE() << error.what();
      }
    }
  }
}

/// Those of program(in, out, count) that can be executed.
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

TEST_P(LanguagePrograms, LeaveTheSameMemoryHoweverThreadsTravel) {
  expect_same_everywhere(GetParam(), GetParam() == "barriers" ? Shape{2, 128} : Shape{4, 64});
}

INSTANTIATE_TEST_SUITE_P(, LanguagePrograms, testing::ValuesIn(kPrograms),
                         [](const auto& tested) { return tested.param; });

/// Those that have an array for a block of 64 threads, or atomics whose order tells.
const std::set<std::string> kOfOneBlockSize{"async_copy",    "barriers",       "cooperative",
                                            "fences",        "global_atomics", "shared_atomics",
                                            "shared_memory", "spaces",         "spin_lock"};

std::vector<std::string> programs_of_any_block() {
  std::vector<std::string> programs;
  for (const std::string& program : kPrograms) {
    if (!kOfOneBlockSize.contains(program)) programs.push_back(program);
  }
  return programs;
}

class ProgramsInBlocks : public testing::TestWithParam<std::string> {};

TEST_P(ProgramsInBlocks, OfOtherSizesLeaveTheSameMemoryHoweverThreadsTravel) {
  std::vector<Shape> shapes{{5, 80}};  // Three warps, the last of which is half there.
  if (!kSanitized) shapes.insert(shapes.end(), {{5, 48}, {3, 96}, {3, 128}, {2, 320}});
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(shape.threads);
    expect_same_everywhere(GetParam(), shape);
  }
}

INSTANTIATE_TEST_SUITE_P(, ProgramsInBlocks, testing::ValuesIn(programs_of_any_block()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace heddle::gpu::test
