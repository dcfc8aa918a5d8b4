#include "energy/by_kind.h"

#include <algorithm>

namespace heddle::energy {
namespace {

bool is_shared(Component component) {
  return component == Component::interconnect || component == Component::l2 ||
         component == Component::uncore || component == Component::dram;
}

/// The dynamic energy of the shared components or, if `shared` is false, of the multiprocessors.
double dynamic_joules(const Account& account, bool shared) {
  double joules = 0;
  for (const ComponentEnergy& component : account.components) {
    if (is_shared(component.component) == shared) joules += in_joules(component.dynamic_energy);
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

/// The leakage of one multiprocessor of each kind; equal for all kinds if there are no figures.
std::vector<double> leakage_of_each(const std::vector<Account>& kinds, std::size_t kind_count) {
  std::vector<double> each;
  double sum = 0;
  for (const Account& kind : kinds) {
    each.push_back(static_joules(kind) / std::max(kind.sms, 1U));
    sum += each.back();
  }
  return sum > 0 ? each : std::vector<double>(kind_count, 1);
}

/// Each program's fraction of the whole, by weight; equal fractions if all weights are 0.
class Parts {
 public:
  explicit Parts(std::size_t programs) : parts_(programs, 0) {}
  void add(std::size_t program, double weight) {
    parts_[program] += weight;
    sum_ += weight;
  }
  double operator[](std::size_t program) const {
    return sum_ > 0 ? parts_[program] / sum_ : 1 / static_cast<double>(parts_.size());
  }

 private:
  std::vector<double> parts_;
  double sum_ = 0;
};

Parts by_instructions(const std::vector<ProgramShare>& programs, std::size_t kind) {
  Parts parts(programs.size());
  for (std::size_t i = 0; i < programs.size(); ++i) {
    parts.add(i, static_cast<double>(programs[i].warp_instructions[kind]));
  }
  return parts;
}

}  // namespace

Account account_of_kind(const Technology& technology, const gpu::Machine& machine, std::size_t kind,
                        const Counted& counted) {
  const gpu::SmKind chosen = machine.kinds().at(kind);
  gpu::Machine alone = machine;
  alone.sm = *chosen.sm;
  alone.chip.sms = chosen.sms;
  alone.groups.clear();
  Account account = energy::account(technology, alone, counted);
  std::erase_if(account.components,
                [](const ComponentEnergy& component) { return is_shared(component.component); });
  account.chip_model.reset();
  return account;
}

std::vector<double> divide_among_programs(const Account& whole, const std::vector<Account>& kinds,
                                          const std::vector<ProgramShare>& programs) {
  const std::size_t count = programs.size();
  const std::size_t kind_count = programs.front().warp_instructions.size();
  Parts in_multiprocessors(count);
  Parts in_all(count);
  Parts occupied(count);
  const std::vector<double> leakage = leakage_of_each(kinds, kind_count);
  for (std::size_t kind = 0; kind < kind_count; ++kind) {
    const Parts parts = by_instructions(programs, kind);
    const double weight = kinds.empty() ? 1 : dynamic_joules(kinds[kind], false);
    for (std::size_t i = 0; i < count; ++i) {
      in_multiprocessors.add(i, weight * parts[i]);
      in_all.add(i, static_cast<double>(programs[i].warp_instructions[kind]));
      occupied.add(i,
                   leakage[kind] * static_cast<double>(programs[i].occupied_sm_cycles[kind].count));
    }
  }
  std::vector<double> joules;
  for (std::size_t i = 0; i < count; ++i) {
    joules.push_back(dynamic_joules(whole, false) * in_multiprocessors[i] +
                     dynamic_joules(whole, true) * in_all[i] + static_joules(whole) * occupied[i]);
  }
  return joules;
}

}  // namespace heddle::energy
