#include "sm/lookahead/renaming_registers.h"

#include <bit>
#include <cassert>
#include <cstddef>

namespace heddle::sm {
namespace {

constexpr std::uint64_t bit_of(RenamingRegister number) { return std::uint64_t{1} << number % 64; }

}  // namespace

RenamingRegisters::RenamingRegisters(std::uint32_t count, std::uint32_t total, std::uint32_t banks)
    : count_(std::min({count, total, kMost})),
      total_(total),
      banks_(banks),
      registers_(count_),
      banks_of_(banks) {
  for (std::uint32_t i = 0; i < count_; ++i) {
    const auto number = static_cast<RenamingRegister>(i);
    available_[number / 64] |= bit_of(number);
    banks_of_[bank_of(number)][number / 64] |= bit_of(number);
  }
}

/// Makes the registers available that have been released, and whose results have been written.
void RenamingRegisters::settle(Cycle now) {
  std::erase_if(unwritten_, [&](RenamingRegister number) {
    if (registers_[number].written > now) return false;
    available_[number / 64] |= bit_of(number);
    return true;
  });
}

bool RenamingRegisters::has(std::uint32_t count, Cycle now) {
  settle(now);
  std::uint32_t found = 0;
  for (std::size_t i = 0; i < available_.size(); ++i) {
    const std::uint32_t begin = static_cast<std::uint32_t>(i) * 64;
    if (first_ >= begin + 64) continue;
    const std::uint32_t skipped = std::max(first_, begin) - begin;
    found += static_cast<std::uint32_t>(std::popcount(available_[i] >> skipped));
  }
  return found >= count;
}

Cycle RenamingRegisters::next(Cycle now) const {
  Cycle next = Cycle::never();
  for (const RenamingRegister number : unwritten_) {
    if (!belongs_to_block(number) && registers_[number].written != Cycle::never())
      next = std::min(next, std::max(registers_[number].written, now + Cycles(1)));
  }
  return next;
}

/// The first available register in the set that belongs to no block; kNotRenamed if there is none.
RenamingRegister RenamingRegisters::first_available(const Bits& among) const {
  for (std::size_t i = 0; i < available_.size(); ++i) {
    for (std::uint64_t rest = available_[i] & among[i]; rest != 0; rest &= rest - 1) {
      const auto number =
          static_cast<RenamingRegister>(i * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
      if (!belongs_to_block(number)) return number;
    }
  }
  return kNotRenamed;
}

RenamingRegister RenamingRegisters::take(std::uint32_t bank, Cycle now) {
  settle(now);
  RenamingRegister number = first_available(banks_of_[bank]);
  if (number == kNotRenamed) number = first_available(available_);
  assert(number != kNotRenamed);
  available_[number / 64] &= ~bit_of(number);
  registers_[number] = {.users = 1, .written = Cycle::never()};
  ++taken_;
  return number;
}

void RenamingRegisters::release(RenamingRegister number) {
  assert(registers_[number].users > 0);
  if (--registers_[number].users > 0) return;
  unwritten_.push_back(number);
  ++freed_;
}

void RenamingRegisters::set_written(RenamingRegister number, Cycle at) {
  registers_[number].written = at;
}

void RenamingRegisters::declare(CounterList& counters) {
  counters.add("registers_taken", taken_, "registers", "taken for results ahead");
  counters.add("registers_freed", freed_, "registers",
               "of these, that no table and no queue refers to any more");
  counters.add("register_cycles", register_cycles_, "register-cycles",
               "of renaming registers that a table or a queue refers to, each of 32 lanes");
}

}  // namespace heddle::sm
