#include <utility>

#include "form.h"

namespace heddle::silicon {
namespace {

void add_approximate(std::vector<Form>& forms, const std::string& name, const std::string& type,
                     std::size_t operands = 1) {
  Form form = plain_form(name, type, std::vector<std::string>(operands, type));
  form.approximate = true;
  forms.push_back(std::move(form));
}

}  // namespace

void add_float_forms(std::vector<Form>& forms) {
  for (const std::string rounding : {".rn", ".rz", ".rm", ".rp"}) {
    for (const std::string t : {".f32", ".ftz.f32", ".f64"}) {
      const std::string type = t.substr(t.size() - 3);
      for (const char* operation : {"add", "sub", "mul", "div"}) {
        forms.push_back(plain_form(operation + rounding + t, type, {type, type}));
      }
      forms.push_back(plain_form("fma" + rounding + t, type, {type, type, type}));
      forms.push_back(plain_form("rcp" + rounding + t, type, {type}));
      forms.push_back(plain_form("sqrt" + rounding + t, type, {type}));
    }
    for (const std::string t : {".sat.f32", ".ftz.sat.f32"}) {
      for (const char* operation : {"add", "sub", "mul"}) {
        forms.push_back(plain_form(operation + rounding + t, "f32", {"f32", "f32"}));
      }
      forms.push_back(plain_form("fma" + rounding + t, "f32", {"f32", "f32", "f32"}));
    }
  }
  for (const std::string t : {"f32", "ftz.f32", "f64"}) {
    const std::string type = t.substr(t.size() - 3);
    forms.push_back(plain_form("abs." + t, type, {type}));
    forms.push_back(plain_form("neg." + t, type, {type}));
    forms.push_back(plain_form("min." + t, type, {type, type}));
    forms.push_back(plain_form("max." + t, type, {type, type}));
  }
  for (const std::string how : {"NaN.f32", "ftz.NaN.f32", "xorsign.abs.f32", "NaN.xorsign.abs.f32",
                                "ftz.NaN.xorsign.abs.f32"}) {
    forms.push_back(plain_form("min." + how, "f32", {"f32", "f32"}));
    forms.push_back(plain_form("max." + how, "f32", {"f32", "f32"}));
  }
  for (const std::string t : {"f32", "f64"}) {
    forms.push_back(plain_form("copysign." + t, t, {t, t}));
    for (const std::string what :
         {"finite", "infinite", "number", "notanumber", "normal", "subnormal"}) {
      forms.push_back(plain_form("testp." + what + "." + t, "pred", {t}));
    }
  }
  for (const std::string ftz : {"", "ftz."}) {
    for (const std::string operation : {"rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2"}) {
      add_approximate(forms, operation + ".approx." + ftz + "f32", "f32");
    }
    add_approximate(forms, "div.approx." + ftz + "f32", "f32", 2);
    add_approximate(forms, "div.full." + ftz + "f32", "f32", 2);
  }
  add_approximate(forms, "tanh.approx.f32", "f32");
  add_approximate(forms, "rcp.approx.ftz.f64", "f64");
  add_approximate(forms, "rsqrt.approx.f64", "f64");
  add_approximate(forms, "rsqrt.approx.ftz.f64", "f64");
}

void add_half_forms(std::vector<Form>& forms) {
  for (const std::string t : {"f16", "f16x2", "bf16", "bf16x2"}) {
    const bool is_bf16 = t[0] == 'b';
    const auto binary = [&](const std::string& name) {
      forms.push_back(plain_form(name + "." + t, t, {t, t}));
    };
    for (const std::string operation : {"add", "sub", "mul"}) {
      binary(operation + ".rn");
      if (is_bf16) continue;
      binary(operation + ".rn.ftz");
      binary(operation + ".rn.sat");
      binary(operation + ".rn.ftz.sat");
    }
    for (const std::string operation : {"min", "max"}) {
      for (const std::string how : {"", ".NaN", ".xorsign.abs", ".NaN.xorsign.abs"}) {
        binary(operation + how);
        if (!is_bf16) binary(operation + ".ftz" + how);
      }
    }
    const auto fused = [&](const std::string& how) {
      forms.push_back(plain_form("fma.rn" + how + "." + t, t, {t, t, t}));
    };
    fused("");
    fused(".relu");
    if (!is_bf16) {
      fused(".ftz");
      fused(".sat");
      fused(".ftz.sat");
      fused(".ftz.relu");
    }
    forms.push_back(plain_form("neg." + t, t, {t}));
    forms.push_back(plain_form("abs." + t, t, {t}));
    if (!is_bf16) {
      forms.push_back(plain_form("neg.ftz." + t, t, {t}));
      forms.push_back(plain_form("abs.ftz." + t, t, {t}));
    }
    add_approximate(forms, (is_bf16 ? "ex2.approx.ftz." : "ex2.approx.") + t, t);
    add_approximate(forms, "tanh.approx." + t, t);
  }
}

}  // namespace heddle::silicon
