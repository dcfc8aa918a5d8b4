#pragma once

// The energy saved by keeping a value in an upper level (Gebhart's dissertation on on-chip storage
// for throughput processors, figures 6.5 and 6.8), and whether the value may be kept there. A level
// serves a read if the read takes the value from that level. A level serves a value's reads from
// the first on, up to some number of them (`served`).

#include "code/placement/values.h"

namespace heddle::code {

/// To which levels a writer of a value must write its result, given the number of served reads.
struct WriterNeed {
  bool upper = false;  ///< To the upper level, since a served read may need the result.
  bool main = false;   ///< To the main file, since another read may need the result.
};

/// Computes the savings of values in one function.
class Savings {
 public:
  Savings(const CodeOrder& code, const Hierarchy& hierarchy) : code_(code), hierarchy_(hierarchy) {}

  /// The needs of a value's writers, in their order, if an upper level serves the first `served`
  /// reads. Must not be called for a read operand, which is in the main file already.
  static std::vector<WriterNeed> needs_of(const Value& value, std::size_t served);

  /// The energy saved if `level` serves the first `served` reads; 0 if the value may not be kept in
  /// that level.
  double energy_saved(const Value& value, RegisterLevel level, std::size_t served) const;

  /// The index of the last-result file's word that can serve all of the value's reads; -1 if there
  /// is none. That file must serve all reads of a value or none (sections 6.2.2 and 6.4.5).
  int last_result_entry(const Value& value) const;

 private:
  bool in_shared_unit(Position at) const {
    return hierarchy_.in_shared_unit(*code_.instructions[at]);
  }
  double read_energy(RegisterLevel level, Position at) const;
  double write_energy(RegisterLevel level, Position at) const;
  bool may_write_two(RegisterLevel level) const;

  const CodeOrder& code_;
  const Hierarchy& hierarchy_;
};

}  // namespace heddle::code
