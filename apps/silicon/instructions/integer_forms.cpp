#include <utility>

#include "form.h"

namespace heddle::silicon {

void add_integer_forms(std::vector<Form>& forms) {
  for (const std::string t : {"u16", "s16", "u32", "s32", "u64", "s64"}) {
    for (const char* operation :
         {"add.", "sub.", "mul.lo.", "mul.hi.", "div.", "rem.", "min.", "max."}) {
      forms.push_back(plain_form(operation + t, t, {t, t}));
    }
    for (const char* operation : {"mad.lo.", "mad.hi.", "sad."}) {
      forms.push_back(plain_form(operation + t, t, {t, t, t}));
    }
    if (t[0] == 's') {
      forms.push_back(plain_form("abs." + t, t, {t}));
      forms.push_back(plain_form("neg." + t, t, {t}));
    }
  }
  for (const auto& [narrow, wide] : {std::pair<std::string, std::string>{"u16", "u32"},
                                     {"s16", "s32"},
                                     {"u32", "u64"},
                                     {"s32", "s64"}}) {
    forms.push_back(plain_form("mul.wide." + narrow, wide, {narrow, narrow}));
    forms.push_back(plain_form("mad.wide." + narrow, wide, {narrow, narrow, wide}));
  }
  for (const std::string name : {"add.sat.s32", "sub.sat.s32"}) {
    forms.push_back(plain_form(name, "s32", {"s32", "s32"}));
  }
  forms.push_back(plain_form("mad.hi.sat.s32", "s32", {"s32", "s32", "s32"}));
  for (const std::string t : {"u32", "s32"}) {
    for (const char* half : {"lo.", "hi."}) {
      forms.push_back(plain_form(std::string("mul24.") + half + t, t, {t, t}));
      forms.push_back(plain_form(std::string("mad24.") + half + t, t, {t, t, t}));
    }
  }
  forms.push_back(plain_form("mad24.hi.sat.s32", "s32", {"s32", "s32", "s32"}));
  for (const std::string t : {"u16x2", "s16x2"}) {
    for (const char* operation : {"add.", "min.", "max."}) {
      forms.push_back(plain_form(operation + t, "b32", {"b32", "b32"}));
    }
  }
  for (const std::string name :
       {"min.relu.s32", "max.relu.s32", "min.relu.s16x2", "max.relu.s16x2"}) {
    forms.push_back(plain_form(name, "b32", {"b32", "b32"}));
  }
  for (const char* a : {"u32", "s32"}) {
    for (const char* b : {"u32", "s32"}) {
      const std::string types = std::string(a) + "." + b;
      forms.push_back(plain_form("dp4a." + types, "b32", {"b32", "b32", "b32"}));
      forms.push_back(plain_form("dp2a.lo." + types, "b32", {"b32", "b32", "b32"}));
      forms.push_back(plain_form("dp2a.hi." + types, "b32", {"b32", "b32", "b32"}));
    }
  }
}

void add_carry_forms(std::vector<Form>& forms) {
  for (const std::string t : {"u32", "s32", "u64", "s64"}) {
    const std::string temporary = t.substr(1) == "32" ? "%x" : "%w";
    // The first instruction of a chain, which sets the carry flag, reads %a, %b and, if it is a
    // mad, %c. Its sum or product is not used.
    const auto add = [&](const std::string& name, const std::string& first_instruction,
                         const std::string& rest_of_chain) {
      forms.push_back({.name = name + "." + t,
                       .result = t,
                       .operands = {t, t, t, t},
                       .text = first_instruction + "." + t + " " + temporary + ", %a, %b" +
                               (first_instruction.starts_with("mad") ? ", %c" : "") + "; " +
                               rest_of_chain});
    };
    // Later instructions of a chain read the carry flag and other operands, such as %c and %e.
    add("add.cc+addc", "add.cc", "addc." + t + " %d, %c, %e;");
    add("add.cc+addc.cc+addc", "add.cc",
        "addc.cc." + t + " " + temporary + ", %c, %e; addc." + t + " %d, %a, %e;");
    add("sub.cc+subc", "sub.cc", "subc." + t + " %d, %c, %e;");
    add("sub.cc+subc.cc+subc", "sub.cc",
        "subc.cc." + t + " " + temporary + ", %c, %e; subc." + t + " %d, %a, %e;");
    add("mad.lo.cc+madc.hi", "mad.lo.cc", "madc.hi." + t + " %d, %a, %b, %e;");
    add("mad.hi.cc+madc.lo", "mad.hi.cc", "madc.lo." + t + " %d, %c, %b, %e;");
    add("mad.lo.cc+madc.hi.cc+addc", "mad.lo.cc",
        "madc.hi.cc." + t + " " + temporary + ", %a, %b, %e; addc." + t + " %d, %e, %c;");
  }
}

}  // namespace heddle::silicon
