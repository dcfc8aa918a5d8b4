#include <fmt/format.h>

#include <utility>

#include "form.h"
#include "operand_values.h"

namespace heddle::silicon {

namespace {

/// The registers of an atomic. `before` receives the value that the atomic returns, and `after` the
/// value that it leaves in memory. `join` is PTX that combines both to a result of 64 bits, %d.
struct Registers {
  const char* before;
  const char* after;
  const char* join;
};
/// The registers for a type of `width` bits.
Registers registers_of(unsigned width) {
  if (width == 64) {
    return {"%v", "%w", "mov.b64 {%x, %y}, %w; mov.b64 %w, {%y, %x}; xor.b64 %d, %v, %w;"};
  }
  if (width == 32) return {"%y", "%x", "mov.b64 %d, {%x, %y};"};
  return {"%k", "%h",
          "cvt.u64.u16 %w, %h; cvt.u64.u16 %v, %k; shl.b64 %w, %w, 32; or.b64 %d, %v, %w;"};
}

}  // namespace

void add_atomic_forms(std::vector<Form>& forms) {
  // Adds an atomic on memory that no other thread accesses ([%m] or [%s]).
  const auto on_private_word = [&](const std::string& space, const std::string& operation,
                                   const std::string& type, const std::string& arguments,
                                   std::vector<std::string> operands) {
    const std::string place = space == "global" ? "[%m]" : "[%s]";
    const unsigned width = width_of(type);
    const Registers registers = registers_of(width);
    const std::string name = fmt::format("atom.{}.{}.{}", space, operation, type);
    forms.push_back(
        {.name = name,
         .result = "b64",
         .operands = std::move(operands),
         .text = fmt::format("st.{0}.b{1} {2}, %a; {3} {4}, {2}, {5}; ld.{0}.b{1} {6}, {2}; {7}",
                             space, width, place, name, registers.before, arguments,
                             registers.after, registers.join)});
  };
  for (const std::string space : {"global", "shared"}) {
    for (const std::string t : {"u32", "s32", "u64"})
      on_private_word(space, "add", t, "%b", {t, t});
    for (const std::string t : {"u32", "s32", "u64", "s64"}) {
      on_private_word(space, "min", t, "%b", {t, t});
      on_private_word(space, "max", t, "%b", {t, t});
    }
    on_private_word(space, "inc", "u32", "%b", {"u32", "u32"});
    on_private_word(space, "dec", "u32", "%b", {"u32", "u32"});
    for (const std::string t : {"b32", "b64"}) {
      for (const std::string operation : {"and", "or", "xor", "exch"}) {
        on_private_word(space, operation, t, "%b", {t, t});
      }
      on_private_word(space, "cas", t, "%b, %c", {t, t, t});
    }
    on_private_word(space, "cas", "b16", "%b, %c", {"b16", "b16", "b16"});
    on_private_word(space, "add", "f32", "%b", {"f32", "f32"});
    on_private_word(space, "add", "f64", "%b", {"f64", "f64"});
    for (const std::string t : {"f16", "f16x2", "bf16", "bf16x2"}) {
      on_private_word(space, "add.noftz", t, "%b", {t, t});
    }
  }
  // A compare-and-swap that succeeds.
  forms.push_back({.name = "atom.global.cas.b32 that swaps",
                   .result = "b64",
                   .operands = {"b32", "b32"},
                   .text = "st.global.b32 [%m], %a; atom.global.cas.b32 %y, [%m], %a, %b; "
                           "ld.global.b32 %x, [%m]; mov.b64 %d, {%x, %y};"});
  // Atomics of all threads of a block on one word. The results do not depend on the atomics' order.
  forms.push_back({.name = "red.shared.add.u32 by a block",
                   .result = "u32",
                   .operands = {"u32"},
                   .text =
                       "mov.u32 %x, 0; st.shared.u32 [shared], %x; bar.sync 0; "
                       "red.shared.add.u32 [shared], %a; bar.sync 0; ld.shared.u32 %d, [shared];"});
  forms.push_back({.name = "red.shared.max.s32 by a block",
                   .result = "s32",
                   .operands = {"s32"},
                   .text =
                       "mov.u32 %x, 0x80000000; st.shared.u32 [shared], %x; bar.sync 0; "
                       "red.shared.max.s32 [shared], %a; bar.sync 0; ld.shared.s32 %d, [shared];"});
  // Loads and stores of narrow types: their widths, and zero or sign extension.
  for (const std::string t : {"u8", "s8", "u16", "s16", "u32", "s32"}) {
    forms.push_back({.name = "ld.global." + t + " into 64 bits",
                     .result = "b64",
                     .operands = {"b64"},
                     .text = "st.global.b64 [%m], %a; ld.global." + t + " %d, [%m];"});
    forms.push_back({.name = "ld.shared.v2." + t,
                     .result = "b32",
                     .operands = {"b64"},
                     .text = "st.shared.b64 [%s], %a; ld.shared.v2." + t +
                             " {%x, %y}, [%s]; sub.u32 %d, %x, %y;"});
  }
  for (const std::string t : {"u8", "u16"}) {
    forms.push_back({.name = "st.global." + t,
                     .result = "b64",
                     .operands = {"b64", "b32"},
                     .text = "st.global.b64 [%m], %a; st.global." + t +
                             " [%m+2], %b; ld.global.b64 %d, [%m];"});
  }
}

}  // namespace heddle::silicon
