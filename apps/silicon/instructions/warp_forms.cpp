#include <fmt/format.h>

#include <utility>

#include "form.h"

namespace heddle::silicon {
namespace {

/// Sets %p for some threads of each warp, in different lanes of different warps. What only these
/// threads execute is on a divergent path.
constexpr const char* kSomeThreads =
    "shr.u32 %y, %g, 5; xor.b32 %y, %y, %g; and.b32 %y, %y, 5; "
    "setp.ne.u32 %p, %y, 0; ";

}  // namespace

void add_warp_forms(std::vector<Form>& forms) {
  const auto add = [&](const std::string& name, std::vector<std::string> operands,
                       const std::string& text, const std::string& result = "b32") {
    forms.push_back(
        {.name = name, .result = result, .operands = std::move(operands), .text = text});
  };
  for (const std::string mode : {"up", "down", "bfly", "idx"}) {
    // Operand c of shfl has the last lane (the clamp) in its low bits, and the mask of a segment's
    // lanes from bit 8.
    const int last = mode == "up" ? 0 : 31;
    for (const int segments : {0, 16, 24, 28, 30, 31}) {
      for (const int distance : {0, 1, 2, 5, 15, 16, 31, 32}) {
        // The result combines the value with the predicate, which says whether the source lane is
        // in range.
        add(fmt::format("shfl.sync.{}.b32 {} within {}", mode, distance, segments), {"b32"},
            fmt::format("shfl.sync.{}.b32 %d|%p, %a, {}, {}, -1; selp.u32 %x, 0, 0x9e3779b9, %p; "
                        "xor.b32 %d, %d, %x;",
                        mode, distance, segments * 256 + last));
      }
    }
    // Each lane chooses its own distance.
    add("shfl.sync." + mode + ".b32 by lane", {"b32", "shift"},
        fmt::format("shfl.sync.{}.b32 %d|%p, %a, %b, {}, -1; selp.u32 %x, 0, 0x9e3779b9, %p; "
                    "xor.b32 %d, %d, %x;",
                    mode, last));
  }
  for (const std::string mode : {"all", "any", "uni"}) {
    // In some warps, the predicate has the same value in all threads.
    add("vote.sync." + mode + ".pred", {"u32"},
        "shr.u32 %x, %g, 7; and.b32 %x, %x, 3; sub.u32 %x, %x, 1; setp.hi.u32 %p, %x, 1; "
        "@!%p setp.eq.u32 %p, %x, 0; vote.sync." +
            mode + ".pred %d, %p, -1;",
        "pred");
    add("vote.sync." + mode + ".pred of values", {"u32"},
        "and.b32 %x, %a, 1; setp.eq.u32 %p, %x, 1; vote.sync." + mode + ".pred %d, %p, -1;",
        "pred");
  }
  add("vote.sync.ballot.b32", {"u32"},
      "and.b32 %x, %a, 1; setp.eq.u32 %p, %x, 1; vote.sync.ballot.b32 %d, %p, -1;");
  add("vote.sync.ballot.b32 on a path", {"u32"},
      std::string(kSomeThreads) +
          "mov.u32 %d, 77; vote.sync.ballot.b32 %x, %p, -1; @!%p bra OUT; "
          "and.b32 %y, %a, 2; setp.eq.u32 %q, %y, 2; vote.sync.ballot.b32 %d, %q, %x; OUT:");
  add("activemask.b32 on a path", {"u32"},
      std::string(kSomeThreads) + "mov.u32 %d, 77; @!%p bra OUT; activemask.b32 %d; OUT:");
  for (const std::string t : {"b32", "b64"}) {
    const std::string narrow = t == "b32" ? "and.b32 %x, %a, 3; " : "and.b64 %w, %a, 3; ";
    const std::string value = t == "b32" ? "%x" : "%w";
    add("match.any.sync." + t, {t}, narrow + "match.any.sync." + t + " %d, " + value + ", -1;");
    add("match.all.sync." + t, {t},
        narrow +
            (t == "b32" ? "shr.u32 %x, %g, 6; and.b32 %y, %g, 32; setp.eq.u32 %q, %y, 0; "
                          "@%q mov.b32 %x, %a; "
                        : "mov.b64 %w, {%g, %g}; and.b64 %w, %w, 0x4000000040; ") +
            "match.all.sync." + t + " %d|%p, " + value +
            ", -1; selp.u32 %y, 0x10101, 0, %p; xor.b32 %d, %d, %y;");
  }
  for (const std::string operation : {"add", "min", "max"}) {
    add("redux.sync." + operation + ".u32", {"u32"},
        "redux.sync." + operation + ".u32 %d, %a, -1;");
    add("redux.sync." + operation + ".s32", {"s32"},
        "redux.sync." + operation + ".s32 %d, %a, -1;");
  }
  for (const std::string operation : {"and", "or", "xor"}) {
    add("redux.sync." + operation + ".b32", {"b32"},
        "redux.sync." + operation + ".b32 %d, %a, -1;");
  }
  add("redux.sync.add.u32 on a path", {"u32"},
      std::string(kSomeThreads) +
          "mov.u32 %d, 77; vote.sync.ballot.b32 %x, %p, -1; @!%p bra OUT; "
          "redux.sync.add.u32 %d, %a, %x; OUT:");
  add("elect.sync", {"u32"}, "elect.sync %x|%p, -1; selp.u32 %y, 64, 0, %p; or.b32 %d, %x, %y;");
  for (const std::string name :
       {"laneid", "lanemask_eq", "lanemask_le", "lanemask_lt", "lanemask_ge", "lanemask_gt",
        "tid.x", "ntid.x", "ctaid.x", "nctaid.x"}) {
    add("mov.u32 %" + name, {}, "mov.u32 %d, %" + name + ";");
  }
  add("bar.red.popc.u32", {"u32"},
      "and.b32 %x, %a, 1; setp.eq.u32 %p, %x, 1; bar.red.popc.u32 %d, 0, %p;");
  add("bar.red.and.pred", {"u32"}, "setp.ne.u32 %p, %a, 0; bar.red.and.pred %d, 0, %p;", "pred");
  add("bar.red.or.pred", {"u32"}, "setp.eq.u32 %p, %a, 0; bar.red.or.pred %d, 0, %p;", "pred");
  // Moves that pack values into a wider one, or split a value.
  add("mov.b64 of two", {"b32", "b32"}, "mov.b64 %d, {%a, %b};", "b64");
  add("mov.b64 into two", {"b64"}, "mov.b64 {%x, %y}, %a; sub.u32 %d, %x, %y;");
  add("mov.b32 of two", {"b16", "b16"}, "mov.b32 %d, {%a, %b};");
  add("mov.b64 of four", {"b16", "b16", "b16", "b16"}, "mov.b64 %d, {%a, %b, %c, %e};", "b64");
}

}  // namespace heddle::silicon
