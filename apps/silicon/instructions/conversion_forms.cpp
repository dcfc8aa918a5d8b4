#include "form.h"
#include "operand_values.h"

namespace heddle::silicon {
namespace {

using Names = std::vector<std::string>;

void add_cvt_form(std::vector<Form>& forms, const std::string& modifiers, const std::string& to,
                  const std::string& from) {
  forms.push_back(plain_form("cvt" + modifiers + "." + to + "." + from, to, {from}));
}

/// Whether integer type `to` can represent every value of type `from`. ptxas rejects .sat on such a
/// conversion, because nothing can saturate.
bool holds_every_value(const std::string& to, const std::string& from) {
  const unsigned to_width = width_of(to);
  const unsigned from_width = width_of(from);
  if (to[0] == from[0]) return to_width >= from_width;
  return to[0] == 's' && to_width > from_width;
}

}  // namespace

void add_conversion_forms(std::vector<Form>& forms) {
  const Names integers = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};
  for (const std::string& to : integers) {
    for (const std::string& from : integers) {
      add_cvt_form(forms, "", to, from);
      if (!holds_every_value(to, from)) add_cvt_form(forms, ".sat", to, from);
    }
  }
  for (const std::string& integer : integers) {
    for (const std::string f : {"f16", "f32", "f64"}) {
      for (const std::string rounding : {".rni", ".rzi", ".rmi", ".rpi"}) {
        add_cvt_form(forms, rounding, integer, f);
        add_cvt_form(forms, rounding + ".sat", integer, f);
        if (f == "f32") add_cvt_form(forms, rounding + ".ftz", integer, f);
      }
      for (const std::string rounding : {".rn", ".rz", ".rm", ".rp"}) {
        add_cvt_form(forms, rounding, f, integer);
      }
      add_cvt_form(forms, ".rn.sat", f, integer);
    }
    if (width_of(integer) == 8) continue;  // ptxas has no conversions between these and bf16.
    for (const std::string rounding : {".rni", ".rzi", ".rmi", ".rpi"}) {
      add_cvt_form(forms, rounding, integer, "bf16");
    }
    for (const std::string rounding : {".rn", ".rz", ".rm", ".rp"}) {
      add_cvt_form(forms, rounding, "bf16", integer);
    }
  }
  for (const std::string rounding : {".rn", ".rz", ".rm", ".rp"}) {
    add_cvt_form(forms, rounding, "f32", "f64");
    add_cvt_form(forms, rounding + ".ftz", "f32", "f64");
    add_cvt_form(forms, rounding + ".sat", "f32", "f64");
    add_cvt_form(forms, rounding, "f16", "f64");
    add_cvt_form(forms, rounding, "bf16", "f64");
  }
  for (const std::string rounding : {".rn", ".rz"}) {
    add_cvt_form(forms, rounding, "f16", "f32");
    add_cvt_form(forms, rounding + ".ftz", "f16", "f32");
    add_cvt_form(forms, rounding + ".sat", "f16", "f32");
    add_cvt_form(forms, rounding, "bf16", "f32");
    for (const std::string t : {"f16x2", "bf16x2"}) {
      for (const std::string how : {"", ".relu"}) {
        forms.push_back(plain_form("cvt" + rounding + how + "." + t + ".f32", t, {"f32", "f32"}));
      }
    }
    add_cvt_form(forms, rounding + ".relu", "f16", "f32");
    add_cvt_form(forms, rounding + ".relu", "bf16", "f32");
    add_cvt_form(forms, rounding, "tf32", "f32");
    add_cvt_form(forms, rounding + ".relu", "tf32", "f32");
  }
  add_cvt_form(forms, ".rna", "tf32", "f32");
  for (const std::string rounding : {".rni", ".rzi", ".rmi", ".rpi"}) {
    for (const std::string f : {"f16", "f32", "f64"}) {
      add_cvt_form(forms, rounding, f, f);
      add_cvt_form(forms, rounding + ".sat", f, f);
    }
    add_cvt_form(forms, rounding + ".ftz", "f32", "f32");
    add_cvt_form(forms, rounding, "bf16", "bf16");
  }
  add_cvt_form(forms, "", "f64", "f32");
  add_cvt_form(forms, ".ftz", "f64", "f32");
  add_cvt_form(forms, ".sat", "f64", "f32");
  add_cvt_form(forms, "", "f32", "f16");
  add_cvt_form(forms, ".ftz", "f32", "f16");
  add_cvt_form(forms, ".sat", "f32", "f16");
  add_cvt_form(forms, "", "f64", "f16");
  add_cvt_form(forms, "", "f32", "bf16");
  add_cvt_form(forms, "", "f64", "bf16");
  add_cvt_form(forms, ".sat", "f32", "f32");
  add_cvt_form(forms, ".ftz", "f32", "f32");
  add_cvt_form(forms, ".ftz.sat", "f32", "f32");
  add_cvt_form(forms, ".sat", "f64", "f64");
  add_cvt_form(forms, ".rn", "bf16", "f16");
  add_cvt_form(forms, "", "f16", "bf16");
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
