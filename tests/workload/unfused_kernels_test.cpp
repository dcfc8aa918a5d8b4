// The kernels that nvcc compiled without fused multiply-adds (-fmad=false).

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>
#include <string_view>

#include "base/file.h"
#include "exec/fault/fault_report.h"
#include "source_file.h"
#include "workload/simulated_device.h"
#include "workload/workload.h"

namespace heddle::workload {
namespace {

using code::MultiplyAdd;

int count(std::string_view text, std::string_view word) {
  int found = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++found;
  return found;
}

bool is_in_identifier(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Whether the source calls `function` or, for floats, the same with an "f" at the end.
bool calls(std::string_view source, std::string_view function) {
  for (std::size_t at = source.find(function); at != source.npos;
       at = source.find(function, at + 1)) {
    if (at == 0 || is_in_identifier(source[at - 1])) continue;
    const std::string_view rest = source.substr(at + function.size());
    if (rest.starts_with("(") || rest.starts_with("f(")) return true;
  }
  return false;
}

std::set<std::string> all_folders() {
  std::set<std::string> folders;
  for (const Workload* workload : all_workloads()) folders.insert(workload->folder);
  return folders;
}

TEST(UnfusedKernels, SplitEachMultiplyAddIntoAProductAndASum) {
  const Workload& workload = find_workload("matrix-multiply");
  const std::string_view fused = ptx_of(workload, MultiplyAdd::fused);
  const std::string_view separate = ptx_of(workload, MultiplyAdd::separate);
  const int fused_count = count(fused, "fma.rn.f32");
  EXPECT_GE(fused_count, 16);  // A tile is 16 wide, and its loop is unrolled.
  EXPECT_EQ(count(separate, "fma."), 0);
  EXPECT_EQ(count(separate, "mul.rn.f32"), fused_count);
  EXPECT_EQ(count(separate, "add.rn.f32"), fused_count);
}

// The code of CUDA's mathematical functions itself requests multiply-adds, which must not be split.
TEST(UnfusedKernels, HaveMultiplyAddsOnlyOfMathematicalFunctions) {
  for (const std::string& folder : all_folders()) {
    const std::string source = read_file(source_file("workloads/" + folder + "/kernel.cu"));
    const std::array<std::string_view, 6> functions{"cospi", "exp", "expm1", "log", "pow", "tanh"};
    const bool calls_one = std::any_of(functions.begin(), functions.end(),
                                       [&](auto function) { return calls(source, function); });
    const std::string_view separate = ptx_of(find_workload(folder), MultiplyAdd::separate);
    EXPECT_EQ(count(separate, "fma.") > 0, calls_one) << folder;
  }
}

// Neither Heddle nor ptxas fuses products and sums with a rounding mode.
TEST(UnfusedKernels, RoundEachProductAndSum) {
  for (const std::string& folder : all_folders()) {
    const std::string_view separate = ptx_of(find_workload(folder), MultiplyAdd::separate);
    for (const std::string operation : {"mul", "add", "sub"}) {
      for (const std::string form : {".f32", ".sat.f32", ".ftz.f32", ".ftz.sat.f32", ".f64"}) {
        EXPECT_EQ(count(separate, operation + form), 0) << folder << ' ' << operation << form;
      }
    }
  }
}

TEST(UnfusedKernels, AreLoadedAndNamedIfTheCompilerKeepsMultiplyAddsSeparate) {
  const auto fma_count = [](const SimulatedDevice& device) {
    const auto& instructions = device.program().instructions;
    return std::count_if(instructions.begin(), instructions.end(), [](const auto& instruction) {
      return instruction.operation == code::Operation::fma;
    });
  };
  const auto first_place = [](const SimulatedDevice& device) {
    return exec::place_of(device.program(), device.program().functions[0].entry);
  };
  const Workload& workload = find_workload("matrix-multiply");
  const SimulatedDevice fused(workload);
  EXPECT_GT(fma_count(fused), 0);
  EXPECT_NE(first_place(fused).find("(workloads/matrix-multiply/kernel.ptx:"), std::string::npos)
      << first_place(fused);
  const SimulatedDevice separate(workload, {.compile = {.multiply_add = MultiplyAdd::separate}});
  EXPECT_EQ(fma_count(separate), 0);
  EXPECT_NE(first_place(separate).find("(workloads/matrix-multiply/kernel-unfused.ptx:"),
            std::string::npos)
      << first_place(separate);
}

}  // namespace
}  // namespace heddle::workload
