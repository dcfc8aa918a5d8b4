#include "energy/by_kind.h"

#include <algorithm>

namespace heddle::energy {
namespace {

/// Whether the component is outside the multiprocessors.
bool is_shared(Component component) {
  return component == Component::interconnect || component == Component::l2 ||
         component == Component::uncore || component == Component::dram;
}

/// The dynamic energy of the shared components or, if `of_shared` is false, of the multiprocessors.
double dynamic_joules(const Account& account, bool of_shared) {
  double joules = 0;
  for (const ComponentEnergy& component : account.components) {
    if (is_shared(component.component) == of_shared) joules += in_joules(component.dynamic_energy);
  }
  return joules;
}

double static_joules(const Account& account) {
  double joules = 0;
  for (const ComponentEnergy& component : account.components) {
    joules += in_joules(component.static_energy);
  }
  return joules;
}

/// For each kind, the leakage energy of one of its multiprocessors. All are 1 if `kinds` is empty
/// or no leakage is known.
std::vector<double> leakage_per_sm(const std::vector<Account>& kinds, std::size_t kind_count) {
  std::vector<double> leakage;
  double sum = 0;
  for (const Account& kind : kinds) {
    leakage.push_back(static_joules(kind) / std::max(kind.sms, 1U));
    sum += leakage.back();
  }
  return sum > 0 ? leakage : std::vector<double>(kind_count, 1);
}

/// Each program's fraction of a whole, by its weight; equal fractions if all weights are 0.
class Fractions {
 public:
  explicit Fractions(std::size_t programs) : weights_(programs, 0) {}
  void add(std::size_t program, double weight) {
    weights_[program] += weight;
    sum_ += weight;
  }
  double operator[](std::size_t program) const {
    return sum_ > 0 ? weights_[program] / sum_ : 1 / static_cast<double>(weights_.size());
  }

 private:
  std::vector<double> weights_;
  double sum_ = 0;
};

Fractions by_instructions(const std::vector<ProgramShare>& programs, std::size_t kind) {
  Fractions fractions(programs.size());
  for (std::size_t i = 0; i < programs.size(); ++i) {
    fractions.add(i, static_cast<double>(programs[i].warp_instructions[kind]));
  }
  return fractions;
}

}  // namespace

Account account_of_kind(const Technology& technology, const gpu::Machine& machine, std::size_t kind,
                        const RunCounters& run) {
  const gpu::SmKind sm_kind = machine.kinds().at(kind);
  gpu::Machine alone = machine;
  // A machine that consists only of this kind.
  alone.sm = *sm_kind.sm;
  alone.chip.sms = sm_kind.sms;
  alone.groups.clear();
  Account account = energy::account(technology, alone, run);
  std::erase_if(account.components,
                [](const ComponentEnergy& component) { return is_shared(component.component); });
  account.chip_model.reset();
  return account;
}

std::vector<double> divide_among_programs(const Account& whole, const std::vector<Account>& kinds,
                                          const std::vector<ProgramShare>& programs) {
  const std::size_t count = programs.size();
  const std::size_t kind_count = programs.front().warp_instructions.size();
  Fractions sm_fractions(count);
  Fractions shared_fractions(count);
  Fractions leakage_fractions(count);
  const std::vector<double> leakage = leakage_per_sm(kinds, kind_count);
  for (std::size_t kind = 0; kind < kind_count; ++kind) {
    const Fractions fractions = by_instructions(programs, kind);
    const double weight = kinds.empty() ? 1 : dynamic_joules(kinds[kind], false);
    for (std::size_t i = 0; i < count; ++i) {
      sm_fractions.add(i, weight * fractions[i]);
      shared_fractions.add(i, static_cast<double>(programs[i].warp_instructions[kind]));
      leakage_fractions.add(
          i, leakage[kind] * static_cast<double>(programs[i].occupied_sm_cycles[kind].count));
    }
  }
  std::vector<double> joules;
  for (std::size_t i = 0; i < count; ++i) {
    joules.push_back(dynamic_joules(whole, false) * sm_fractions[i] +
                     dynamic_joules(whole, true) * shared_fractions[i] +
                     static_joules(whole) * leakage_fractions[i]);
  }
  return joules;
}

}  // namespace heddle::energy
