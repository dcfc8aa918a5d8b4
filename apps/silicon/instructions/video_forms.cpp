#include "form.h"

namespace heddle::silicon {

void add_video_forms(std::vector<Form>& forms) {
  const auto add = [&](const std::string& name, const std::string& text) {
    forms.push_back(
        {.name = name, .result = "b32", .operands = {"b32", "b32", "b32"}, .text = text});
  };
  const std::vector<std::string> type_triples = {"u32.u32.u32", "s32.s32.s32", "s32.u32.s32",
                                                 "u32.s32.u32"};
  for (const std::string operation : {"vadd", "vsub", "vabsdiff", "vmin", "vmax"}) {
    for (const std::string& types : type_triples) {
      const std::string name = operation + "." + types;
      add(name, name + " %d, %a, %b;");
      add(name + " bytes", name + " %d, %a.b1, %b.b3;");
      add(name + " halves", name + " %d, %a.h1, %b.h0;");
      add(name + ".sat", name + ".sat %d, %a, %b;");
      add(name + ".sat bytes", name + ".sat %d, %a.b0, %b.h1;");
      add(name + ".add", name + ".add %d, %a.h0, %b.b2, %c;");
      add(name + ".min", name + ".min %d, %a, %b, %c;");
      add(name + ".sat.max", name + ".sat.max %d, %a.b2, %b, %c;");
      add(name + " into byte", name + " %d.b2, %a, %b, %c;");
      add(name + ".sat into half", name + ".sat %d.h1, %a, %b, %c;");
    }
  }
  for (const std::string operation : {"vshl", "vshr"}) {
    for (const std::string mode : {"clamp", "wrap"}) {
      for (const std::string types : {"u32.u32.u32", "s32.s32.u32", "u32.s32.u32"}) {
        const std::string name = operation + "." + types;
        // The shift amount is the low 6 bits of %b, so that some amounts exceed the width.
        const std::string amount = "and.b32 %x, %b, 63; ";
        add(name + "." + mode, amount + name + "." + mode + " %d, %a, %x;");
        add(name + ".sat." + mode, amount + name + ".sat." + mode + " %d, %a.h1, %x;");
        add(name + "." + mode + ".add", amount + name + "." + mode + ".add %d, %a, %x, %c;");
        add(name + "." + mode + " into byte", amount + name + "." + mode + " %d.b1, %a, %x, %c;");
      }
    }
  }
  for (const std::string types : {"u32.u32.u32", "s32.s32.s32", "s32.u32.s32"}) {
    add("vmad." + types, "vmad." + types + " %d, %a, %b, %c;");
    add("vmad." + types + " bytes", "vmad." + types + " %d, %a.b3, %b.b0, %c;");
    add("vmad." + types + ".sat", "vmad." + types + ".sat %d, %a.h1, %b.h0, %c;");
    add("vmad." + types + ".sat.shr7", "vmad." + types + ".sat.shr7 %d, %a, %b, %c;");
    add("vmad." + types + ".shr15", "vmad." + types + ".shr15 %d, %a.h0, %b.h1, %c;");
  }
  add("vmad.u32.u32.u32.po", "vmad.u32.u32.u32.po %d, %a.b0, %b.b1, %c;");
  add("vmad.u32.u32.u32.po.shr7", "vmad.u32.u32.u32.po.shr7 %d, %a.h0, %b.h1, %c;");
  for (const std::string comparison : {"eq", "ne", "lt", "le", "gt", "ge"}) {
    for (const std::string types : {"u32.u32", "s32.s32", "u32.s32"}) {
      const std::string name = "vset." + types + "." + comparison;
      add(name, name + " %d, %a, %b;");
      add(name + " bytes", name + " %d, %a.b1, %b.b2;");
      add(name + ".add", name + ".add %d, %a.h1, %b.h1, %c;");
      for (const std::string lanes : {"2", "4"}) {
        const std::string packed = "vset" + lanes + "." + types + "." + comparison;
        add(packed, packed + " %d, %a, %b, %c;");
        add(packed + ".add", packed + ".add %d, %a, %b, %c;");
      }
    }
  }
  for (const std::string operation : {"vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"}) {
    for (const std::string lanes : {"2", "4"}) {
      for (const std::string& types : type_triples) {
        const std::string name = operation + lanes + "." + types;
        add(name, name + " %d, %a, %b, %c;");
        add(name + ".sat", name + ".sat %d, %a, %b, %c;");
        if (!types.starts_with("s")) add(name + ".add", name + ".add %d, %a, %b, %c;");
      }
      const std::string name = operation + lanes + ".u32.u32.u32";
      add(name + (lanes == "2" ? " some halves" : " some bytes"),
          name +
              (lanes == "2" ? " %d.h1, %a.h02, %b.h31, %c;" : " %d.b20, %a.b7153, %b.b0246, %c;"));
    }
  }
}

}  // namespace heddle::silicon
