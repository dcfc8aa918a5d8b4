// Floating-point arithmetic, and operations shared with integers: div, abs, neg, min and max.

#include "code/lowering/families.h"

namespace heddle::code::lowering {

namespace {

void lower_extremum(Translator& t, Operation operation) {
  lower_plain(t, operation, t.operand_count() == 4 ? 3 : 2);
}

}  // namespace

void lower_div(Translator& t) { lower_plain(t, Operation::div, 2); }
void lower_abs(Translator& t) { lower_plain(t, Operation::abs, 1); }
void lower_neg(Translator& t) { lower_plain(t, Operation::neg, 1); }
void lower_min(Translator& t) { lower_extremum(t, Operation::min); }
void lower_max(Translator& t) { lower_extremum(t, Operation::max); }
void lower_fma(Translator& t) { lower_plain(t, Operation::fma, 3); }
void lower_copysign(Translator& t) { lower_plain(t, Operation::copysign, 2); }
void lower_rcp(Translator& t) { lower_plain(t, Operation::rcp, 1); }
void lower_sqrt(Translator& t) { lower_plain(t, Operation::sqrt, 1); }
void lower_rsqrt(Translator& t) { lower_plain(t, Operation::rsqrt, 1); }
void lower_sin(Translator& t) { lower_plain(t, Operation::sin, 1); }
void lower_cos(Translator& t) { lower_plain(t, Operation::cos, 1); }
void lower_lg2(Translator& t) { lower_plain(t, Operation::lg2, 1); }
void lower_ex2(Translator& t) { lower_plain(t, Operation::ex2, 1); }
void lower_tanh(Translator& t) { lower_plain(t, Operation::tanh, 1); }

}  // namespace heddle::code::lowering
