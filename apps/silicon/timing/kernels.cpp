#include "kernels.h"

#include <fmt/format.h>

#include <algorithm>

#include "probe.h"

namespace heddle::silicon {
namespace {

constexpr const char* kHead = ".version 8.6\n.target sm_90\n.address_size 64\n";

/// Declares the registers and loads the parameters; %t is the thread's number in its block. The
/// first thread of a block writes the results to [%out].
constexpr const char* kPrologue =
    "  .reg .b64 %out, %in, %w, %v, %u, %start, %stop, %place;\n"
    "  .reg .b32 %t, %n, %m, %x<8>, %y, %z;\n"
    "  .reg .f64 %d<8>, %e;\n"
    "  .reg .b16 %h<8>;\n"
    "  .reg .pred %p, %q;\n"
    "  ld.param.u64 %out, [out];\n"
    "  ld.param.u64 %in, [in];\n"
    "  ld.param.u32 %n, [count];\n"
    "  ld.param.u32 %m, [mask];\n"
    "  mov.u32 %t, %tid.x;\n";

/// The PTX of a kernel. All kernels of this module have the same parameters.
std::string kernel(const std::string& name, const std::string& body) {
  return fmt::format(
      "\n.visible .entry {}(.param .u64 out, .param .u64 in, .param .u32 count, .param .u32 mask)\n"
      "{{\n{}{}  ret;\n}}\n",
      name, kPrologue, body);
}

/// Two loops of `count` iterations over `steps`: the first fills the instruction cache, the second
/// is timed. Leaves the cycles in %stop.
std::string timed_loop(const std::string& steps) {
  std::string text;
  for (const char* round : {"WARM", "TIMED"}) {
    text += fmt::format(
        "  mov.u32 %y, %n;\n  bar.sync 0;\n  mov.u64 %start, %clock64;\n{0}:\n{1}"
        "  sub.u32 %y, %y, 1;\n  setp.ne.u32 %p, %y, 0;\n  @%p bra {0};\n",
        round, steps);
  }
  return text + "  bar.sync 0;\n  mov.u64 %stop, %clock64;\n  sub.u64 %stop, %stop, %start;\n";
}

/// Writes the cycles of each block. `use` moves the computed values to %z, which is also written,
/// so that the assembler cannot remove their computation.
std::string write_results(const std::string& use) {
  return fmt::format(
      "  mov.u32 %z, %ctaid.x;\n  mul.wide.u32 %place, %z, 16;\n  add.u64 %place, %out, %place;\n"
      "  setp.eq.u32 %p, %t, 0;\n  @%p st.global.u64 [%place], %stop;\n{}"
      "  setp.eq.u32 %p, %z, 0x12345;\n  @%p st.global.u32 [%place+8], %z;\n",
      use);
}

/// `times` copies of a step, which belong to `chains` chains in turn. '#' becomes the chain's
/// number.
std::string repeated(const std::string& step, int times, int chains = 1) {
  std::string text;
  for (int i = 0; i < times; ++i) {
    std::string line = step;
    std::replace(line.begin(), line.end(), '#', static_cast<char>('0' + i % chains));
    text += "  " + line + "\n";
  }
  return text;
}

/// Initialises the registers of all eight chains.
std::string initialise_chains(const InstructionKind& kind) {
  std::string text = "  cvt.rn.f64.u32 %e, %m;\n  mov.u32 %z, %m;\n";
  for (int i = 0; i < 8; ++i) {
    text += fmt::format(
        "  mad.lo.u32 %x{0}, %t, 64, {0}7;\n  add.u32 %x{0}, %x{0}, %m;\n  cvt.rn.f64.u32 %d{0}, "
        "%x{0};\n"
        "  cvt.u16.u32 %h{0}, %x{0};\n",
        i);
  }
  if (kind.starts_as_float) {
    for (int i = 0; i < 8; ++i) text += fmt::format("  cvt.rn.f32.u32 %x{0}, %x{0};\n", i);
    text += "  cvt.rn.f32.u32 %z, %z;\n";
  }
  return text;
}

/// Combines the last values of all eight chains in %z.
std::string combine_chains() {
  std::string text = "  cvt.rzi.u32.f64 %z, %d0;\n";
  for (int i = 0; i < 8; ++i) {
    text += fmt::format(
        "  xor.b32 %z, %z, %x{0};\n  cvt.u32.u16 %y, %h{0};\n  xor.b32 %z, %z, %y;\n", i);
    if (i > 0) text += fmt::format("  cvt.rzi.u32.f64 %y, %d{};\n  xor.b32 %z, %z, %y;\n", i);
  }
  return text;
}

std::string instruction_kernels() {
  std::string text;
  for (const InstructionKind& kind : instruction_kinds()) {
    text += kernel("latency_" + kind.name, initialise_chains(kind) +
                                               timed_loop(repeated(kind.step, kUnrolled)) +
                                               write_results(combine_chains()));
    text += kernel("throughput_" + kind.name, initialise_chains(kind) +
                                                  timed_loop(repeated(kind.step, kUnrolled, 8)) +
                                                  write_results(combine_chains()));
  }
  return text;
}

std::string memory_kernels() {
  std::string text;
  // Follows a linked list in global memory: each element contains the address of the next one.
  for (const char* how : {"ca", "cg"}) {
    text +=
        kernel(fmt::format("chase_{}", how),
               "  mov.u64 %w, %in;\n" +
                   timed_loop(repeated(fmt::format("ld.global.{}.u64 %w, [%w];", how), kUnrolled)) +
                   write_results("  cvt.u32.u64 %z, %w;\n"));
  }
  // Reads the same 32-bit address from shared memory again and again: each element points to
  // itself.
  text += ".shared .align 16 .b8 list[16384];\n";
  text +=
      kernel("chase_shared",
             "  mov.u32 %x0, list;\n  mad.lo.u32 %x1, %t, 4, %x0;\n  st.shared.u32 [%x1], %x1;\n"
             "  bar.sync 0;\n" +
                 timed_loop(repeated("ld.shared.u32 %x1, [%x1];", kUnrolled)) +
                 write_results("  mov.u32 %z, %x1;\n"));
  // `mask` is the distance in bytes between the words that neighbouring lanes read: with 0 all
  // lanes read one word, with 128 all read one bank.
  text += kernel("shared_stride",
                 "  mov.u32 %x0, list;\n  mul.lo.u32 %x1, %t, %m;\n  and.b32 %x1, %x1, 16380;\n"
                 "  add.u32 %x1, %x1, %x0;\n" +
                     timed_loop(repeated(
                         "ld.volatile.shared.u32 %x2, [%x1]; xor.b32 %x3, %x3, %x2;", kUnrolled)) +
                     write_results("  mov.u32 %z, %x3;\n"));
  text += kernel("atomic_chase",
                 "  mov.u32 %x0, 0;\n" +
                     timed_loop(repeated("atom.global.add.u32 %x0, [%in], %x0;", kUnrolled / 4)) +
                     write_results("  mov.u32 %z, %x0;\n"));
  text += kernel("barrier", timed_loop(repeated("bar.sync 0;", kUnrolled)) + write_results(""));
  // Each thread executes 8 loads of 16 bytes, `count` times. All blocks read the same array of
  // `mask` + 16 bytes.
  for (const char* how : {"ca", "cg"}) {
    text += kernel(
        fmt::format("stream_{}", how),
        "  mov.u32 %x0, %ctaid.x;\n  mov.u32 %x1, %ntid.x;\n  mad.lo.u32 %x0, %x0, %x1, %t;\n"
        "  mov.u32 %x2, %nctaid.x;\n  mul.lo.u32 %x2, %x2, %x1;\n  shl.b32 %x2, %x2, 4;\n"
        "  mul.wide.u32 %w, %x0, 16;\n  cvt.u64.u32 %u, %x2;\n  cvt.u64.u32 %v, %m;\n"
        "  mov.u64 %start, %clock64;\n  mov.u32 %y, %n;\nNEXT:\n" +
            [&] {
              std::string steps;
              for (int i = 0; i < 8; ++i) {
                steps += fmt::format(
                    "  and.b64 %place, %w, %v;\n  add.u64 %place, %place, %in;\n"
                    "  ld.global.{}.v4.u32 {{%x4, %x5, %x6, %x7}}, [%place];\n"
                    "  xor.b32 %x3, %x3, %x4;\n  xor.b32 %x3, %x3, %x7;\n  add.u64 %w, %w, %u;\n",
                    how);
              }
              return steps;
            }() +
            "  sub.u32 %y, %y, 1;\n  setp.ne.u32 %p, %y, 0;\n  @%p bra NEXT;\n"
            "  mov.u64 %stop, %clock64;\n  sub.u64 %stop, %stop, %start;\n" +
            write_results("  mov.u32 %z, %x3;\n"));
  }
  return text;
}

}  // namespace

// Integer sums, minima and reciprocals are left out: the assembler merges several instructions of a
// chain into one.
const std::vector<InstructionKind>& instruction_kinds() {
  static const std::vector<InstructionKind> kinds = {
      {"mul_lo_u32", "mul.lo.u32 %x#, %x#, %z;"},
      {"mad_lo_u32", "mad.lo.u32 %x#, %x#, %z, %x#;"},
      {"shl_b32", "shl.b32 %x#, %x#, %z;"},
      {"lop3_b32", "lop3.b32 %x#, %x#, %z, %t, 0x96;"},
      {"popc_b32", "popc.b32 %x#, %x#;"},
      {"brev_b32", "brev.b32 %x#, %x#;"},
      {"prmt_b32", "prmt.b32 %x#, %x#, %z, 0x2103;"},
      {"div_u32", "div.u32 %x#, %x#, %z;"},
      {"setp_selp_u32", "setp.lt.u32 %q, %x#, %z; selp.u32 %x#, %t, %x#, %q;"},
      {"shfl_bfly_b32", "shfl.sync.bfly.b32 %x#, %x#, 1, 31, -1;"},
      {"vote_ballot_b32", "setp.lt.u32 %q, %x#, %z; vote.sync.ballot.b32 %x#, %q, -1;"},
      {"add_f32", "add.f32 %x#, %x#, %z;", true, true},
      {"mul_f32", "mul.f32 %x#, %x#, %z;", true, true},
      {"fma_f32", "fma.rn.f32 %x#, %x#, %z, %x#;", true, true},
      {"div_rn_f32", "div.rn.f32 %x#, %x#, %z;", true},
      {"sqrt_rn_f32", "sqrt.rn.f32 %x#, %x#;", true},
      {"rsqrt_approx_f32", "rsqrt.approx.ftz.f32 %x#, %x#;", true},
      {"sin_approx_f32", "sin.approx.ftz.f32 %x#, %x#;", true},
      {"ex2_approx_f32", "ex2.approx.ftz.f32 %x#, %x#;", true},
      {"lg2_approx_f32", "lg2.approx.ftz.f32 %x#, %x#;", true},
      {"cvt_f32_s32", "cvt.rn.f32.s32 %x#, %x#;"},
      {"cvt_s32_f32", "cvt.rzi.s32.f32 %x#, %x#;", true},
      {"add_f64", "add.f64 %d#, %d#, %e;"},
      {"mul_f64", "mul.f64 %d#, %d#, %e;"},
      {"fma_f64", "fma.rn.f64 %d#, %d#, %e, %d#;"},
      {"div_rn_f64", "div.rn.f64 %d#, %d#, %e;"},
      {"add_f16x2", "add.rn.f16x2 %x#, %x#, %z;"},
      {"fma_f16x2", "fma.rn.f16x2 %x#, %x#, %z, %x#;"},
      {"add_u16", "add.u16 %h#, %h#, %h#;"},
      {"dp4a", "dp4a.u32.u32 %x#, %x#, %z, %x#;"},
  };
  return kinds;
}

std::string probe_module() { return kHead + instruction_kernels() + memory_kernels(); }

}  // namespace heddle::silicon
