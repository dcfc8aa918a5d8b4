// Compares the results of every form of instruction with those of a real GPU, an H100. The record
// of the GPU's results was made by heddle_silicon_instructions (apps/silicon/instructions), with
// the same kernels and operands.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>
#include <sstream>

#include "base/file.h"
#include "base/half.h"
#include "operand_values.h"
#include "source_file.h"
#include "survey.h"
#include "workload/simulated_device.h"

namespace heddle::silicon {
namespace {

using AddForms = void (*)(std::vector<Form>&);

const Record& h100() {
  static const Record record = parse_record(read_file(source_file("tests/silicon/h100.txt")));
  return record;
}

/// The forms for which ptxas generates code that deviates from the PTX specification. The GPU's
/// results are expected to differ from Heddle's.
const std::set<std::string>& forms_not_as_ptx_says() {
  static const std::set<std::string> names = [] {
    std::set<std::string> lines;
    std::istringstream text(read_file(source_file("tests/silicon/not_as_ptx_says.txt")));
    for (std::string line; std::getline(text, line);) {
      if (!line.empty() && line.front() != '#') lines.insert(line);
    }
    return lines;
  }();
  return names;
}

std::vector<Form> forms_of(AddForms add) {
  std::vector<Form> forms;
  add(forms);
  return forms;
}

std::vector<Results> simulate(const std::vector<Form>& forms) {
  return run_forms(forms, [](const std::string& ptx) {
    return std::make_unique<workload::SimulatedDevice>(device::PtxSource{"forms.ptx", ptx});
  });
}

void expect_recorded_results(AddForms add) {
  const std::vector<Form> forms = forms_of(add);
  const std::vector<Results> results = simulate(forms);
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const auto found = h100().forms.find(forms[i].name);
    ASSERT_NE(found, h100().forms.end()) << forms[i].name << " was not measured";
    // Approximate forms are tested below, each with its error bound.
    if (forms[i].approximate) continue;
    const bool is_same = found->second.digest == digest_of(results[i]);
    EXPECT_EQ(is_same, !forms_not_as_ptx_says().contains(forms[i].name)) << forms[i].name;
  }
}

TEST(InstructionForms, ComputeIntegersAsAnH100) { expect_recorded_results(add_integer_forms); }
TEST(InstructionForms, PassCarriesAsAnH100) { expect_recorded_results(add_carry_forms); }
TEST(InstructionForms, MoveBitsAsAnH100) { expect_recorded_results(add_bit_forms); }
TEST(InstructionForms, ComputeFloatsAsAnH100) { expect_recorded_results(add_float_forms); }
TEST(InstructionForms, ComputeHalvesAsAnH100) { expect_recorded_results(add_half_forms); }
TEST(InstructionForms, CompareValuesAsAnH100) { expect_recorded_results(add_comparison_forms); }
TEST(InstructionForms, ConvertValuesAsAnH100) { expect_recorded_results(add_conversion_forms); }
TEST(InstructionForms, ExecuteVideoInstructionsAsAnH100) {
  expect_recorded_results(add_video_forms);
}
TEST(InstructionForms, ExchangeValuesInWarpsAsAnH100) { expect_recorded_results(add_warp_forms); }
TEST(InstructionForms, ChangeMemoryAtomicallyAsAnH100) {
  expect_recorded_results(add_atomic_forms);
}

TEST(InstructionForms, IncludeEveryRecordedForm) {
  std::set<std::string> names;
  for (const Form& form : all_forms()) {
    EXPECT_TRUE(names.insert(form.name).second) << form.name << " occurs twice";
  }
  for (const auto& [name, form] : h100().forms) EXPECT_TRUE(names.contains(name)) << name;
  for (const std::string& name : forms_not_as_ptx_says()) EXPECT_TRUE(names.contains(name)) << name;
}

// Approximate instructions. PTX bounds the error of each, so that Heddle's and the GPU's results
// may differ by twice the bound.

/// The number that `bits` represent in a floating-point type.
double number(std::string_view type, std::uint64_t bits) {
  if (type == "f64") return std::bit_cast<double>(bits);
  if (type == "f32") return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  const auto half = static_cast<std::uint16_t>(bits);
  return type == "bf16" ? float_of_bfloat(half) : float_of_half(half);
}

struct Bound {
  double relative = 0;
  double absolute = 0;
};

/// The bound of the difference between two results of an instruction. `operand` is its first
/// operand.
Bound bound_of(const std::string& name, const std::string& type, double operand) {
  if (name.starts_with("sin") || name.starts_with("cos")) {
    // PTX bounds the error for operands within one turn. Larger operands are reduced to one turn
    // first, which loses digits on the GPU.
    return {.absolute = 0x1p-19 + std::fabs(operand) * 0x1p-22};
  }
  if (name.starts_with("lg2")) return {.relative = 0x1p-21, .absolute = 0x1p-21};
  if (name.starts_with("tanh")) {
    return {.relative = type == "f32" ? 0x1p-10 : type == "f16" ? 0x1p-9 : 0x1p-6};
  }
  if (type == "f64") return {.relative = name.find("ftz") != std::string::npos ? 0x1p-19 : 0x1p-51};
  if (type == "f16") return {.relative = 0x1p-9, .absolute = 0x1p-24};
  if (type == "bf16") return {.relative = 0x1p-6};
  return {.relative = 0x1p-21, .absolute = 0x1p-149};
}

void expect_near(const Form& form, const std::string& type, std::uint64_t ours, std::uint64_t real,
                 std::size_t thread) {
  const double operand =
      number(type, operand_values(form.operands[0], 0, form.operands.size(), kFormThreads)[thread]);
  const double a = number(type, ours);
  const double b = number(type, real);
  if (std::isnan(b) || std::isinf(b)) {
    EXPECT_TRUE(std::isnan(b) ? std::isnan(a) : a == b) << form.name << ", thread " << thread;
    return;
  }
  const Bound bound = bound_of(form.name, type, operand);
  EXPECT_LE(std::fabs(a - b), bound.absolute + bound.relative * std::fabs(b))
      << form.name << ", thread " << thread << ": " << a << ", on the H100 " << b;
}

TEST(InstructionForms, ApproximateWithinTwiceTheErrorBoundOfPtx) {
  std::vector<Form> forms = forms_of(add_float_forms);
  add_half_forms(forms);
  std::erase_if(forms, [](const Form& form) { return !form.approximate; });
  ASSERT_FALSE(forms.empty());
  const std::vector<Results> results = simulate(forms);
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const Form& form = forms[i];
    const std::vector<std::uint64_t>& real = h100().forms.at(form.name).values;
    ASSERT_EQ(real.size(), kFormThreads / kThreadStep) << form.name;
    for (std::size_t k = 0; k < real.size(); ++k) {
      const std::uint64_t ours = results[i][k * kThreadStep];
      if (form.result.ends_with("x2")) {
        const std::string type = form.result.substr(0, form.result.size() - 2);
        expect_near(form, type, ours & 0xffff, real[k] & 0xffff, k * kThreadStep);
        expect_near(form, type, ours >> 16, real[k] >> 16, k * kThreadStep);
      } else {
        expect_near(form, form.result, ours, real[k], k * kThreadStep);
      }
    }
  }
}

TEST(InstructionForms, SampleAndFilterTexturesAsAnH100) {
  expect_recorded_results(add_texture_forms);
  const std::vector<Form> forms = forms_of(add_texture_forms);
  const std::vector<Results> results = simulate(forms);
  for (std::size_t i = 0; i < forms.size(); ++i) {
    if (!forms[i].approximate) continue;
    // PTX does not specify the exact bits of filtered texels, but Heddle's equal the GPU's.
    EXPECT_EQ(record_form(forms[i], results[i]).values, h100().forms.at(forms[i].name).values)
        << forms[i].name;
  }
}

// The comparison itself.

TEST(Record, ChangesDigestIfOneResultDiffers) {
  Results results(kFormThreads, 7);
  const std::uint64_t before = digest_of(results);
  results.back() ^= 1;
  EXPECT_NE(digest_of(results), before);
}

TEST(Record, IsReadAsWritten) {
  Record record{.heading = "# a GPU\n", .forms = {}};
  record.forms["add.u32"] = {.digest = 0x123, .values = {}};
  record.forms["sin.approx.f32 of values"] = {.digest = 0, .values = {1, 0xffffffffffffffff}};
  const Record read = parse_record(to_text(record));
  EXPECT_EQ(read.heading, record.heading);
  EXPECT_EQ(read.forms.at("add.u32").digest, 0x123U);
  EXPECT_EQ(read.forms.at("sin.approx.f32 of values").values,
            record.forms.at("sin.approx.f32 of values").values);
}

TEST(Record, ReportsNumberOfDamagedLine) {
  try {
    parse_record("add.u32\t12\nsub.u32\t1x\n");
    FAIL() << "expected the damaged record to be rejected";
  } catch (const std::exception& error) {
    EXPECT_STREQ(error.what(), "line 2: '1x' is not a hexadecimal number");
  }
}

}  // namespace
}  // namespace heddle::silicon
