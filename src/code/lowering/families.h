#pragma once

// The translations of PTX instructions, by the file that holds them.

#include "code/lowering/translator.h"

namespace heddle::code::lowering {

/// Sets what the suffixes common to arithmetic say: rounding, ftz, sat, approx, relu and so on.
void set_arithmetic_suffixes(const Translator& t, Instruction& instruction);
/// d = operation(a, b, ...), all of the instruction's type.
Instruction& lower_plain(Translator& t, Operation operation, std::size_t sources);

// integer.cpp
void lower_add(Translator& t);
void lower_sub(Translator& t);
void lower_addc(Translator& t);
void lower_subc(Translator& t);
void lower_mul(Translator& t);
void lower_mad(Translator& t);
void lower_madc(Translator& t);
void lower_mul24(Translator& t);
void lower_mad24(Translator& t);
void lower_sad(Translator& t);
void lower_rem(Translator& t);
void lower_popc(Translator& t);
void lower_clz(Translator& t);
void lower_bfind(Translator& t);
void lower_brev(Translator& t);
void lower_bfe(Translator& t);
void lower_bfi(Translator& t);
void lower_bmsk(Translator& t);
void lower_szext(Translator& t);
void lower_fns(Translator& t);
void lower_dp4a(Translator& t);
void lower_dp2a(Translator& t);

// logic.cpp
void lower_and(Translator& t);
void lower_or(Translator& t);
void lower_xor(Translator& t);
void lower_not(Translator& t);
void lower_cnot(Translator& t);
void lower_lop3(Translator& t);
void lower_shl(Translator& t);
void lower_shr(Translator& t);
void lower_shf(Translator& t);
void lower_prmt(Translator& t);

// floating.cpp
void lower_div(Translator& t);
void lower_abs(Translator& t);
void lower_neg(Translator& t);
void lower_min(Translator& t);
void lower_max(Translator& t);
void lower_fma(Translator& t);
void lower_copysign(Translator& t);
void lower_rcp(Translator& t);
void lower_sqrt(Translator& t);
void lower_rsqrt(Translator& t);
void lower_sin(Translator& t);
void lower_cos(Translator& t);
void lower_lg2(Translator& t);
void lower_ex2(Translator& t);
void lower_tanh(Translator& t);

// convert.cpp
void lower_cvt(Translator& t);

// compare.cpp
void lower_setp(Translator& t);
void lower_set(Translator& t);
void lower_testp(Translator& t);
void lower_selp(Translator& t);
void lower_slct(Translator& t);
/// The comparison that the suffixes name; on unsigned values for lo, ls, hi and hs.
Comparison comparison_of(const Translator& t);

// move.cpp
void lower_mov(Translator& t);

// memory.cpp
void lower_ld(Translator& t);
void lower_st(Translator& t);
void lower_prefetch(Translator& t);
void lower_cvta(Translator& t);
void lower_isspacep(Translator& t);
void lower_fence(Translator& t);
void lower_createpolicy(Translator& t);
/// Sets memory order, scope and cache operator from the suffixes.
void set_memory_suffixes(const Translator& t, Instruction& instruction);

// atomic.cpp
void lower_atom(Translator& t);
void lower_red(Translator& t);
/// The operation that the suffixes of atom, red, redux and sured name.
Reduction reduction_of(const Translator& t);

// copy.cpp
void lower_cp(Translator& t);

// texture.cpp
void lower_tex(Translator& t);
void lower_tld4(Translator& t);
void lower_txq(Translator& t);
void lower_suq(Translator& t);
void lower_suld(Translator& t);
void lower_sust(Translator& t);
void lower_sured(Translator& t);

// warp.cpp
void lower_shfl(Translator& t);
void lower_vote(Translator& t);
void lower_match(Translator& t);
void lower_activemask(Translator& t);
void lower_redux(Translator& t);
void lower_elect(Translator& t);

// video.cpp
void lower_video(Translator& t);

// control.cpp
void lower_bra(Translator& t);
void lower_brx(Translator& t);
void lower_ret(Translator& t);
void lower_exit(Translator& t);
void lower_trap(Translator& t);
void lower_brkpt(Translator& t);
void lower_nanosleep(Translator& t);
void lower_bar(Translator& t);
void lower_alloca(Translator& t);
void lower_stacksave(Translator& t);
void lower_stackrestore(Translator& t);
/// For what has no effect on values: performance hints and profiler events.
void lower_to_nothing(Translator& t);

// calls.cpp
void lower_call(Translator& t);

}  // namespace heddle::code::lowering
