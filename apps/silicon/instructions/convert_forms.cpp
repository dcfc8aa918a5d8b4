#include "form.h"
#include "operand_values.h"

namespace heddle::silicon {
namespace {

using Names = std::vector<std::string>;

void convert(std::vector<Form>& forms, const std::string& how, const std::string& to,
             const std::string& from) {
  forms.push_back(plain_form("cvt" + how + "." + to + "." + from, to, {from}));
}

/// True where nothing can saturate: ptxas refuses .sat then.
bool holds_all_of(const std::string& to, const std::string& from) {
  const unsigned to_width = width_of(to);
  const unsigned from_width = width_of(from);
  if (to[0] == from[0]) return to_width >= from_width;
  return to[0] == 's' && to_width > from_width;
}

}  // namespace

void add_convert_forms(std::vector<Form>& forms) {
  const Names integers = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};
  for (const std::string& to : integers) {
    for (const std::string& from : integers) {
      convert(forms, "", to, from);
      if (!holds_all_of(to, from)) convert(forms, ".sat", to, from);
    }
  }
  for (const std::string& integer : integers) {
    for (const std::string f : {"f16", "f32", "f64"}) {
      for (const std::string rounding : {".rni", ".rzi", ".rmi", ".rpi"}) {
        convert(forms, rounding, integer, f);
        convert(forms, rounding + ".sat", integer, f);
        if (f == "f32") convert(forms, rounding + ".ftz", integer, f);
      }
      for (const std::string rounding : {".rn", ".rz", ".rm", ".rp"}) {
        convert(forms, rounding, f, integer);
      }
      convert(forms, ".rn.sat", f, integer);
    }
    if (width_of(integer) == 8) continue;  // ptxas knows none from or to bf16.
    for (const std::string rounding : {".rni", ".rzi", ".rmi", ".rpi"}) {
      convert(forms, rounding, integer, "bf16");
    }
    for (const std::string rounding : {".rn", ".rz", ".rm", ".rp"}) {
      convert(forms, rounding, "bf16", integer);
    }
  }
  for (const std::string rounding : {".rn", ".rz", ".rm", ".rp"}) {
    convert(forms, rounding, "f32", "f64");
    convert(forms, rounding + ".ftz", "f32", "f64");
    convert(forms, rounding + ".sat", "f32", "f64");
    convert(forms, rounding, "f16", "f64");
    convert(forms, rounding, "bf16", "f64");
  }
  for (const std::string rounding : {".rn", ".rz"}) {
    convert(forms, rounding, "f16", "f32");
    convert(forms, rounding + ".ftz", "f16", "f32");
    convert(forms, rounding + ".sat", "f16", "f32");
    convert(forms, rounding, "bf16", "f32");
    for (const std::string t : {"f16x2", "bf16x2"}) {
      for (const std::string how : {"", ".relu"}) {
        forms.push_back(plain_form("cvt" + rounding + how + "." + t + ".f32", t, {"f32", "f32"}));
      }
    }
    convert(forms, rounding + ".relu", "f16", "f32");
    convert(forms, rounding + ".relu", "bf16", "f32");
    convert(forms, rounding, "tf32", "f32");
    convert(forms, rounding + ".relu", "tf32", "f32");
  }
  convert(forms, ".rna", "tf32", "f32");
  for (const std::string rounding : {".rni", ".rzi", ".rmi", ".rpi"}) {
    for (const std::string f : {"f16", "f32", "f64"}) {
      convert(forms, rounding, f, f);
      convert(forms, rounding + ".sat", f, f);
    }
    convert(forms, rounding + ".ftz", "f32", "f32");
    convert(forms, rounding, "bf16", "bf16");
  }
  convert(forms, "", "f64", "f32");
  convert(forms, ".ftz", "f64", "f32");
  convert(forms, ".sat", "f64", "f32");
  convert(forms, "", "f32", "f16");
  convert(forms, ".ftz", "f32", "f16");
  convert(forms, ".sat", "f32", "f16");
  convert(forms, "", "f64", "f16");
  convert(forms, "", "f32", "bf16");
  convert(forms, "", "f64", "bf16");
  convert(forms, ".sat", "f32", "f32");
  convert(forms, ".ftz", "f32", "f32");
  convert(forms, ".ftz.sat", "f32", "f32");
  convert(forms, ".sat", "f64", "f64");
  convert(forms, ".rn", "bf16", "f16");
  convert(forms, "", "f16", "bf16");
  for (const std::string t : {"e4m3x2", "e5m2x2"}) {
    for (const std::string relu : {"", ".relu"}) {
      forms.push_back(
          plain_form("cvt.rn.satfinite" + relu + "." + t + ".f32", "b16", {"f32", "f32"}));
      forms.push_back(plain_form("cvt.rn.satfinite" + relu + "." + t + ".f16x2", "b16", {"f16x2"}));
      forms.push_back(plain_form("cvt.rn" + relu + ".f16x2." + t, "f16x2", {"b16"}));
    }
  }
  for (const std::string to : {"u16", "s16"}) {
    forms.push_back(plain_form("cvt.pack.sat." + to + ".s32", "b32", {"s32", "s32"}));
  }
  for (const std::string to : {"u8", "s8"}) {
    forms.push_back(plain_form("cvt.pack.sat." + to + ".s32.b32", "b32", {"s32", "s32", "b32"}));
  }
}

}  // namespace heddle::silicon
