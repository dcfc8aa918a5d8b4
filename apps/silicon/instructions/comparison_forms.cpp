#include "form.h"

namespace heddle::silicon {
namespace {

using Names = std::vector<std::string>;

bool is_float(const std::string& type) { return type[0] == 'f' || type.starts_with("bf"); }

Names comparisons_of(const std::string& type) {
  if (is_float(type)) {
    return {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
            "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
  }
  if (type[0] == 'b') return {"eq", "ne"};
  if (type[0] == 'u') return {"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"};
  return {"eq", "ne", "lt", "le", "gt", "ge"};
}

}  // namespace

void add_comparison_forms(std::vector<Form>& forms) {
  for (const std::string t : {"b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64", "f16",
                              "bf16", "f32", "f64"}) {
    for (const std::string& comparison : comparisons_of(t)) {
      forms.push_back(plain_form("setp." + comparison + "." + t, "pred", {t, t}));
      if (t == "f32" || t == "f16") {
        forms.push_back(plain_form("setp." + comparison + ".ftz." + t, "pred", {t, t}));
      }
      for (const std::string result : {"u32", "s32", "f32"}) {
        if (t == "f16" || t == "bf16") continue;
        forms.push_back(plain_form("set." + comparison + "." + result + "." + t, result, {t, t}));
      }
    }
  }
  // setp with two destination predicates, %p and %q, and a predicate %c that is combined with the
  // comparison. The destinations become bits 0 and 1 of the result.
  for (const std::string combination : {"and", "or", "xor"}) {
    for (const std::string t : {"s32", "u64", "f32", "f64"}) {
      for (const std::string comparison : {"lt", "ne"}) {
        const std::string name = "setp." + comparison + "." + combination + "." + t;
        forms.push_back({.name = name,
                         .result = "u32",
                         .operands = {t, t, "pred"},
                         .text = name +
                                 " %p|%q, %a, %b, %c; selp.u32 %x, 1, 0, %p; selp.u32 %y, 2, "
                                 "0, %q; or.b32 %d, %x, %y;"});
        const std::string set = "set." + comparison + "." + combination + ".u32." + t;
        forms.push_back(plain_form(set, "u32", {t, t, "pred"}));
      }
    }
  }
  for (const std::string comparison : {"eq", "lt", "geu", "nan"}) {
    for (const std::string t : {"f16x2", "bf16x2"}) {
      forms.push_back({.name = "setp." + comparison + "." + t,
                       .result = "u32",
                       .operands = {t, t},
                       .text = "setp." + comparison + "." + t +
                               " %p|%q, %a, %b; selp.u32 %x, 1, 0, %p; selp.u32 %y, 2, 0, %q; "
                               "or.b32 %d, %x, %y;"});
    }
    forms.push_back(plain_form("set." + comparison + ".f16x2.f16x2", "b32", {"f16x2", "f16x2"}));
    forms.push_back(
        plain_form("set." + comparison + ".bf16x2.bf16x2", "b32", {"bf16x2", "bf16x2"}));
    forms.push_back(plain_form("set." + comparison + ".u32.f16", "b32", {"f16", "f16"}));
    forms.push_back(plain_form("set." + comparison + ".f16.f16", "f16", {"f16", "f16"}));
    forms.push_back(plain_form("set." + comparison + ".u16.bf16", "u16", {"bf16", "bf16"}));
  }
}

}  // namespace heddle::silicon
