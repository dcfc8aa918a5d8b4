#include "survey.h"

#include <fmt/format.h>

#include "operand_values.h"

namespace heddle::silicon {
namespace {

constexpr const char* kOperands[] = {"%a", "%b", "%c", "%e"};

std::string register_type(const std::string& type) {
  const unsigned width = width_of(type);
  if (width == 1) return ".pred";
  return fmt::format(".b{}", width < 16 ? 16 : width);
}

/// PTX that loads one operand: the thread's element of the operand's array.
std::string load_operand(const std::string& type, std::size_t operand) {
  const char* name = kOperands[operand];
  const std::string word =
      fmt::format("  ld.global.b64 %w, [%in+{}];\n", operand * kFormThreads * 8);
  switch (width_of(type)) {
    case 1:
      return word +
             fmt::format("  cvt.u32.u64 %x, %w;\n  and.b32 %x, %x, 1;\n  setp.ne.u32 {}, %x, 0;\n",
                         name);
    case 64:
      return word + fmt::format("  mov.b64 {}, %w;\n", name);
    case 32:
      return word + fmt::format("  cvt.u32.u64 {}, %w;\n", name);
    default:
      return word + fmt::format("  cvt.u16.u64 {}, %w;\n", name);
  }
}

/// PTX that stores %d as 64 bits.
std::string store_result(const std::string& type) {
  std::string widened = "  mov.b64 %w, %d;\n";
  const unsigned width = width_of(type);
  if (width == 1) widened = "  selp.b64 %w, 1, 0, %d;\n";
  if (width == 32) widened = "  cvt.u64.u32 %w, %d;\n";
  if (width == 16 || width == 8) widened = "  cvt.u64.u16 %w, %d;\n";
  return widened + "  st.global.b64 [%out], %w;\n";
}

/// The PTX kernel that executes a form.
std::string kernel_of(const Form& form, std::size_t number) {
  std::string text = fmt::format("\n// {}\n", form.name);
  text += fmt::format(
      ".visible .entry form_{}(.param .u64 in, .param .u64 out, .param .u64 memory, "
      ".param .u64 texture)\n{{\n",
      number);
  text +=
      "  .reg .b64 %in, %out, %m, %w, %v, %place, %tex;\n"
      "  .reg .b32 %g, %t, %s, %x, %y, %i, %j;\n"
      "  .reg .b16 %h, %k;\n"
      "  .reg .pred %p, %q;\n"
      "  .shared .align 16 .b8 shared[4096];\n";
  text += fmt::format("  .reg {} %d;\n", register_type(form.result));
  for (std::size_t i = 0; i < form.operands.size(); ++i) {
    text += fmt::format("  .reg {} {};\n", register_type(form.operands[i]), kOperands[i]);
  }
  text +=
      "  ld.param.u64 %in, [in];\n"
      "  ld.param.u64 %out, [out];\n"
      "  ld.param.u64 %m, [memory];\n"
      "  ld.param.u64 %tex, [texture];\n"
      "  mov.u32 %t, %tid.x;\n"
      "  mov.u32 %x, %ctaid.x;\n"
      "  mov.u32 %y, %ntid.x;\n"
      "  mad.lo.u32 %g, %x, %y, %t;\n"
      "  mul.wide.u32 %place, %g, 8;\n"
      "  add.u64 %in, %in, %place;\n"
      "  add.u64 %out, %out, %place;\n"
      "  mul.wide.u32 %place, %g, 16;\n"
      "  add.u64 %m, %m, %place;\n"
      "  mov.u32 %s, shared;\n"
      "  mad.lo.u32 %s, %t, 16, %s;\n";
  for (std::size_t i = 0; i < form.operands.size(); ++i) {
    text += load_operand(form.operands[i], i);
  }
  return text + "  " + form.text + "\n" + store_result(form.result) + "  ret;\n}\n";
}

/// Texels that differ from their neighbours in every channel.
std::vector<std::byte> texels_of(const workload::TextureDescription& description) {
  const std::size_t count =
      std::size_t{description.width} * description.height * description.channels;
  if (description.texel == workload::TextureDescription::Texel::u8) {
    std::vector<std::byte> texels(count);
    for (std::size_t i = 0; i < count; ++i) texels[i] = static_cast<std::byte>(i * 37 + i / 11);
    return texels;
  }
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(i * 2654435761u % 4093) * 0.125F - 200.0F;
  }
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::string module_of(const std::vector<Form>& forms) {
  std::string text = ".version 8.6\n.target sm_90\n.address_size 64\n";
  for (std::size_t i = 0; i < forms.size(); ++i) text += kernel_of(forms[i], i);
  return text;
}

std::vector<Form> all_forms() {
  std::vector<Form> forms;
  add_integer_forms(forms);
  add_carry_forms(forms);
  add_bit_forms(forms);
  add_float_forms(forms);
  add_half_forms(forms);
  add_comparison_forms(forms);
  add_conversion_forms(forms);
  add_video_forms(forms);
  add_warp_forms(forms);
  add_atomic_forms(forms);
  add_texture_forms(forms);
  return forms;
}

std::vector<Results> run_forms(const std::vector<Form>& forms, const MakeGpu& make_gpu) {
  const std::unique_ptr<workload::Gpu> gpu = make_gpu(module_of(forms));
  const auto in = gpu->allocate<std::uint64_t>(4 * kFormThreads, "in");
  const auto out = gpu->allocate<std::uint64_t>(kFormThreads, "out");
  const auto memory = gpu->allocate<std::uint64_t>(2 * kFormThreads, "memory");
  std::vector<Results> results;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const Form& form = forms[i];
    for (std::size_t operand = 0; operand < form.operands.size(); ++operand) {
      const auto place = in.from(operand * kFormThreads);
      gpu->write(place, operand_values(form.operands[operand], operand, form.operands.size(),
                                       kFormThreads));
    }
    gpu->fill(out, 0);
    gpu->fill(memory, 0);
    const workload::TextureHandle texture =
        form.texture ? gpu->create_texture(*form.texture, texels_of(*form.texture))
                     : workload::TextureHandle{};
    gpu->launch(fmt::format("form_{}", i),
                {.grid = {kFormThreads / kFormBlock}, .block = {kFormBlock}}, in, out, memory,
                texture);
    results.push_back(gpu->download(out));
    // The bits above a narrow result are unspecified.
    const unsigned width = width_of(form.result);
    for (std::uint64_t& word : results.back()) {
      if (width < 64) word &= (std::uint64_t{1} << width) - 1;
    }
  }
  return results;
}

}  // namespace heddle::silicon
