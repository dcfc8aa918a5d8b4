#pragma once

// What it saves to keep a value in an upper level (Gebhart's dissertation on on-chip storage for
// throughput processors, figures 6.5 and 6.8), and whether it may be there.

#include "code/placement/values.h"

namespace heddle::code {

/// A value in a level that serves its first `served` reads, by its writers.
struct WriterNeed {
  bool upper = false;  ///< A served read may find what it wrote.
  bool main = false;
};

class Savings {
 public:
  Savings(const CodeOrder& code, const Hierarchy& hierarchy) : code_(code), hierarchy_(hierarchy) {}

  /// By writer. What is read again is in the main file already.
  static std::vector<WriterNeed> needs_of(const Value& value, std::size_t served);

  /// 0 where the value must not be in that level.
  double of(const Value& value, RegisterLevel level, std::size_t served) const;

  /// The word of the last-result file that could serve all of the value's reads: there are no
  /// others that it may serve; -1 if there is none (sections 6.2.2 and 6.4.5).
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
