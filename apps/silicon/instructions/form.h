#pragma once

// A form is a PTX instruction with its modifiers and types. Each form becomes a kernel: every
// thread reads its operands, executes the form, and stores the result. The same kernels run on the
// simulator and on a real GPU.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "workload/gpu.h"

namespace heddle::silicon {

struct Form {
  /// The PTX spelling, with an addition if several forms are spelled alike; unique.
  std::string name;
  /// The type of the result, which is in register %d: "u32", "f16x2", "pred" ...
  std::string result;
  /// The types of the operands, which are in registers %a, %b, %c and %e. "shift" is a u32 that is
  /// small most of the time; "texel" and "fraction" are f32 coordinates of a texture, in texels or
  /// as a fraction of its size.
  std::vector<std::string> operands;
  /// PTX statements that read the operands and write %d. They may use %p, %q (predicates), %x,
  /// %y (32 bits), %w, %v (64 bits), %h (16 bits), %g (the thread's index in the grid), %t (its
  /// index in the block), [%m] (16 bytes of global memory per thread, initially zero) and [%s] (16
  /// bytes of shared memory per thread, not initialised).
  std::string text;
  /// Whether PTX specifies a bound of the result's error instead of its bits.
  bool approximate = false;
  /// The texture %tex, if the form samples one.
  std::optional<workload::TextureDescription> texture = std::nullopt;
};

// Each of these functions appends the forms of one class of instructions (CLASS_forms.cpp).
void add_integer_forms(std::vector<Form>& forms);
void add_carry_forms(std::vector<Form>& forms);
void add_bit_forms(std::vector<Form>& forms);
void add_float_forms(std::vector<Form>& forms);
void add_half_forms(std::vector<Form>& forms);
void add_comparison_forms(std::vector<Form>& forms);
void add_conversion_forms(std::vector<Form>& forms);
void add_video_forms(std::vector<Form>& forms);
void add_warp_forms(std::vector<Form>& forms);
void add_atomic_forms(std::vector<Form>& forms);
void add_texture_forms(std::vector<Form>& forms);

std::vector<Form> all_forms();

/// A form that is one instruction: NAME %d, %a, %b ...;
inline Form plain_form(const std::string& name, const std::string& result,
                       std::vector<std::string> operands) {
  static constexpr const char* kRegisters[] = {"%a", "%b", "%c", "%e"};
  std::string text = name + " %d";
  for (std::size_t i = 0; i < operands.size(); ++i) text += std::string(", ") + kRegisters[i];
  return {.name = name, .result = result, .operands = std::move(operands), .text = text + ";"};
}

}  // namespace heddle::silicon
