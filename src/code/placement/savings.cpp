#include "code/placement/savings.h"

#include <algorithm>
#include <bit>

namespace heddle::code {

std::vector<WriterNeed> Savings::needs_of(const Value& value, std::size_t served) {
  std::vector<WriterNeed> needs(value.writers.size());
  for (std::size_t i = 0; i < needs.size(); ++i) needs[i].main = value.writers[i].needs_main;
  for (std::size_t i = 0; i < value.reads.size(); ++i) {
    for (const std::uint32_t writer : value.writer_sets[value.reads[i].writer_set]) {
      (i < served ? needs[writer].upper : needs[writer].main) = true;
    }
  }
  return needs;
}

double Savings::energy_saved(const Value& value, RegisterLevel level, std::size_t served) const {
  double saved = 0;
  for (std::size_t i = 0; i < served; ++i) {
    saved += hierarchy_.energies.main_read - read_energy(level, value.reads[i].at);
  }
  if (value.is_read_operand) return saved - write_energy(level, value.writers[0].at);
  const std::vector<WriterNeed> needs = needs_of(value, served);
  for (std::size_t i = 0; i < needs.size(); ++i) {
    if (!needs[i].upper) continue;
    if (needs[i].main && !may_write_two(level)) return 0;
    saved -= write_energy(level, value.writers[i].at);
    if (!needs[i].main) saved += hierarchy_.energies.main_write;
  }
  return saved;
}

int Savings::last_result_entry(const Value& value) const {
  if (hierarchy_.last_result == LastResultFile::none) return -1;
  std::uint32_t sources = 0;  // Bit i: source operand i of a read.
  for (const ValueRead& read : value.reads) {
    if (in_shared_unit(read.at)) return -1;
    sources |= read.source_mask;
  }
  for (const ValueWriter& writer : value.writers) {
    if (in_shared_unit(writer.at)) return -1;
  }
  if (hierarchy_.last_result == LastResultFile::unified) return 0;
  constexpr int kSlots = 3;  // kOperandSlots.
  const int slot = std::countr_zero(sources);
  return std::has_single_bit(sources) && slot < kSlots ? slot : -1;
}

double Savings::read_energy(RegisterLevel level, Position at) const {
  return hierarchy_.energies.read(level, in_shared_unit(at));
}

double Savings::write_energy(RegisterLevel level, Position at) const {
  return hierarchy_.energies.write(level, in_shared_unit(at));
}

bool Savings::may_write_two(RegisterLevel level) const {
  switch (hierarchy_.result_levels) {
    case ResultLevels::two:
      return true;
    case ResultLevels::one:
      return false;
    case ResultLevels::two_not_operand_file:
      return level == RegisterLevel::last_result;
  }
  return false;
}

}  // namespace heddle::code
