#include <fmt/format.h>

#include "form.h"

namespace heddle::silicon {

void add_bit_forms(std::vector<Form>& forms) {
  for (const std::string t : {"b16", "b32", "b64"}) {
    for (const char* operation : {"and.", "or.", "xor."}) {
      forms.push_back(plain_form(operation + t, t, {t, t}));
    }
    forms.push_back(plain_form("not." + t, t, {t}));
    forms.push_back(plain_form("cnot." + t, t, {t}));
    forms.push_back(plain_form("shl." + t, t, {t, "shift"}));
    forms.push_back(plain_form("selp." + t, t, {t, t, "pred"}));
  }
  for (const char* operation : {"and", "or", "xor"}) {
    forms.push_back(plain_form(std::string(operation) + ".pred", "pred", {"pred", "pred"}));
  }
  forms.push_back(plain_form("not.pred", "pred", {"pred"}));
  for (const std::string t : {"b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64"}) {
    forms.push_back(plain_form("shr." + t, t, {t, "shift"}));
  }
  for (const std::string t : {"u32", "s32", "u64", "s64"}) {
    forms.push_back(plain_form("bfe." + t, t, {t, "shift", "shift"}));
    forms.push_back(plain_form("bfind." + t, "u32", {t}));
    forms.push_back(plain_form("bfind.shiftamt." + t, "u32", {t}));
  }
  for (const std::string t : {"b32", "b64"}) {
    forms.push_back(plain_form("bfi." + t, t, {t, t, "shift", "shift"}));
    forms.push_back(plain_form("popc." + t, "u32", {t}));
    forms.push_back(plain_form("clz." + t, "u32", {t}));
    forms.push_back(plain_form("brev." + t, t, {t}));
  }
  for (const std::string mode : {"clamp", "wrap"}) {
    forms.push_back(plain_form("shf.l." + mode + ".b32", "b32", {"b32", "b32", "shift"}));
    forms.push_back(plain_form("shf.r." + mode + ".b32", "b32", {"b32", "b32", "shift"}));
    forms.push_back(plain_form("bmsk." + mode + ".b32", "b32", {"shift", "shift"}));
    forms.push_back(plain_form("szext." + mode + ".u32", "u32", {"u32", "shift"}));
    forms.push_back(plain_form("szext." + mode + ".s32", "s32", {"s32", "shift"}));
  }
  forms.push_back(plain_form("prmt.b32", "b32", {"b32", "b32", "b32"}));
  for (const std::string mode : {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}) {
    forms.push_back(plain_form("prmt.b32." + mode, "b32", {"b32", "b32", "b32"}));
  }
  forms.push_back({.name = "fns.b32",
                   .result = "b32",
                   .operands = {"b32", "shift", "b32"},
                   // %x is the position of a bit of %a, and %y how many set bits to go from there:
                   // -8 to 7.
                   .text = "and.b32 %x, %b, 31; bfe.s32 %y, %c, 3, 4; fns.b32 %d, %a, %x, %y;"});
  for (const unsigned table : {0x00u, 0x01u, 0x17u, 0x2bu, 0x3cu, 0x40u, 0x69u, 0x80u, 0x96u, 0xacu,
                               0xcau, 0xd4u, 0xe8u, 0xf0u, 0xfeu, 0xffu}) {
    forms.push_back({.name = fmt::format("lop3.b32.0x{:02x}", table),
                     .result = "b32",
                     .operands = {"b32", "b32", "b32"},
                     .text = fmt::format("lop3.b32 %d, %a, %b, %c, {};", table)});
  }
  for (const std::string t : {"b16", "b32", "b64", "u16", "s32", "s64", "f32", "f64"}) {
    forms.push_back(plain_form("slct." + t + ".s32", t, {t, t, "s32"}));
    forms.push_back(plain_form("slct." + t + ".f32", t, {t, t, "f32"}));
    forms.push_back(plain_form("slct.ftz." + t + ".f32", t, {t, t, "f32"}));
  }
}

}  // namespace heddle::silicon
