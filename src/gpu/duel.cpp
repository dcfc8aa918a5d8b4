#include "gpu/duel.h"

#include <utility>

namespace heddle::gpu {
namespace {

using sm::DuelSide;

Cycles interval_of(const SmKind& kind) {
  return sm::properties_of(kind.sm->residency).duel_interval;
}

}  // namespace

Duel::Duel(const SmKind& kind)
    : first_sm_(kind.first), sm_count_(kind.sms), interval_(interval_of(kind)), rest_(interval_) {}

void Duel::start(const Sms& sms, Cycle now) {
  sms[first_sm_]->follow(DuelSide::first, now);
  sms[first_sm_ + 1]->follow(DuelSide::second, now);
  set_followers(sms, now);
  measure_from(sms, now);
}

void Duel::stop(const Sms& sms, Cycle now) {
  add_executed(sms);
  rest_ = now < interval_end_ ? interval_end_ - now : Cycles(0);
}

bool Duel::update(const Sms& sms, Cycle now) {
  if (now < interval_end_) return false;
  add_executed(sms);
  const std::uint64_t first = std::exchange(first_sum_, 0);
  const std::uint64_t second = std::exchange(second_sum_, 0);
  rest_ = interval_;
  measure_from(sms, now);
  if (first == second) return false;
  const DuelSide ahead = first > second ? DuelSide::first : DuelSide::second;
  if (ahead == winner_) return false;
  winner_ = ahead;
  set_followers(sms, now);
  return true;
}

std::uint64_t Duel::executed(const Sms& sms, DuelSide side) const {
  return sms[side == DuelSide::first ? first_sm_ : first_sm_ + 1]->thread_instructions();
}

void Duel::set_followers(const Sms& sms, Cycle now) const {
  for (std::uint32_t i = 2; i < sm_count_; ++i) sms[first_sm_ + i]->follow(winner_, now);
}

void Duel::measure_from(const Sms& sms, Cycle now) {
  interval_end_ = now + rest_;
  first_before_ = executed(sms, DuelSide::first);
  second_before_ = executed(sms, DuelSide::second);
}

void Duel::add_executed(const Sms& sms) {
  first_sum_ += executed(sms, DuelSide::first) - first_before_;
  second_sum_ += executed(sms, DuelSide::second) - second_before_;
}

std::vector<Duel> duels_of(const std::vector<SmKind>& kinds) {
  std::vector<Duel> duels;
  for (const SmKind& kind : kinds) {
    if (kind.sms >= 2 && interval_of(kind).count > 0) duels.emplace_back(kind);
  }
  return duels;
}

}  // namespace heddle::gpu
