#pragma once

// Forms of PTX instructions, each of which becomes a kernel of its own: every thread reads its
// operands, executes the form, and stores what came out. The same kernels run on the simulator and
// on a real GPU.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "workload/gpu.h"

namespace heddle::silicon {

struct Form {
  /// As PTX spells it, or near that: unique.
  std::string name;
  /// The type of %d: "u32", "f16x2", "pred" ...
  std::string result;
  /// The types of %a, %b, %c, %e; "shift" is a u32 that is small most of the time.
  std::vector<std::string> operands;
  /// PTX statements that read these registers and write %d. They may use %p, %q (predicates), %x,
  /// %y (32 bits), %w, %v (64 bits), %h (16 bits), %g (the thread in its grid), %t (in its block),
  /// [%m] (16 bytes of global memory that start as zero) and [%s] (16 bytes of shared memory, as
  /// found).
  std::string text;
  /// PTX bounds the error, and does not say which bits come out.
  bool approximate = false;
  /// What %tex is, where the form samples a texture.
  std::optional<workload::TextureDescription> texture = std::nullopt;
};

// One file each.
void add_integer_forms(std::vector<Form>& forms);
void add_carry_forms(std::vector<Form>& forms);
void add_bit_forms(std::vector<Form>& forms);
void add_float_forms(std::vector<Form>& forms);
void add_half_forms(std::vector<Form>& forms);
void add_compare_forms(std::vector<Form>& forms);
void add_convert_forms(std::vector<Form>& forms);
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
