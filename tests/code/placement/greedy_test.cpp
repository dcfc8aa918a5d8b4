// Compares the greedy algorithm with the best placement, which an exhaustive search finds.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "code/placement/strands.h"
#include "code/placement/values.h"
#include "placed_code.h"

namespace heddle::code::testing {
namespace {

/// A strand of straight-line code, and another strand that reads some of its results.
Function random_strand(std::mt19937& random, std::uint32_t instructions) {
  std::vector<Instruction> code;
  const auto any = [&] { return static_cast<std::uint32_t>(random() % 6); };
  for (std::uint32_t i = 0; i < instructions; ++i) {
    switch (random() % 8) {
      case 0:
        code.push_back(sine(any(), any()));
        break;
      case 1:
        code.push_back(store(any(), any()));
        break;
      case 2:
        code.push_back(set(any()));
        break;
      default:
        code.push_back(add(any(), {any(), any()}));
    }
  }
  code.push_back(plain(Operation::barrier));
  code.push_back(add(9, {any(), any(), any()}));
  code.push_back(plain(Operation::exit));
  return function_of({std::move(code)});
}

double energy_of(const Program& program, const Hierarchy& hierarchy) {
  const PlaceEnergies& e = hierarchy.energies;
  double energy = 0;
  for (std::size_t i = 0; i < program.placement.size(); ++i) {
    const bool shared = hierarchy.in_shared_unit(program.instructions[i]);
    const auto read = [&](const UpperPlace& place) {
      if (!place.present()) return e.main_read;
      if (place.level == RegisterLevel::last_result) return e.last_result_read;
      return shared ? e.operand_read_shared : e.operand_read_private;
    };
    const auto write = [&](const UpperPlace& place) {
      if (!place.present()) return 0.0;
      if (place.level == RegisterLevel::last_result) return e.last_result_write;
      return shared ? e.operand_write_shared : e.operand_write_private;
    };
    for (const ReadPlace& each : program.placement[i].reads) {
      energy += read(each.from) + write(each.fill_place);
    }
    for (const WritePlace& each : program.placement[i].writes) {
      energy += (each.main ? e.main_write : 0) + write(each.upper);
    }
  }
  return energy;
}

/// One option to keep a value: in some entry (those of the last-result file after the others), from
/// its writer to a read.
struct PlacementOption {
  std::uint32_t entry = 0;
  std::uint64_t slots = 0;
  double saved = 0;
};

/// All options that the paper's algorithm has for a value with one writer.
std::vector<PlacementOption> options_of(const Value& value, const Function& function,
                                        const Hierarchy& hierarchy) {
  const PlaceEnergies& e = hierarchy.energies;
  const auto shared = [&](Position at) {
    return hierarchy.in_shared_unit(function.blocks[0].instructions[at]);
  };
  const Position writer = value.writers[0].at;
  std::vector<PlacementOption> options;
  double saved = shared(writer) ? -e.operand_write_shared : -e.operand_write_private;
  double saved_by_last = -e.last_result_write;
  bool is_private = hierarchy.last_result != LastResultFile::none && !shared(writer);
  std::uint32_t operands = 0;
  for (std::size_t i = 0; i < value.reads.size(); ++i) {
    const Position at = value.reads[i].at;
    saved += e.main_read - (shared(at) ? e.operand_read_shared : e.operand_read_private);
    saved_by_last += e.main_read - e.last_result_read;
    is_private = is_private && !shared(at);
    operands |= value.reads[i].slots;
    const bool whole = i + 1 == value.reads.size();
    const double write =
        whole && !value.is_read_operand && !value.writers[0].needs_main ? e.main_write : 0;
    const std::uint64_t slots = (std::uint64_t{1} << at) - (std::uint64_t{1} << writer);
    for (std::uint32_t entry = 0; entry < hierarchy.operand_entries; ++entry) {
      if (saved + write > 0) options.push_back({entry, slots, saved + write});
    }
    for (std::uint32_t slot = 0; whole && is_private && slot < 3; ++slot) {
      const bool can =
          hierarchy.last_result == LastResultFile::unified ? slot == 0 : operands == 1U << slot;
      if (can) options.push_back({hierarchy.operand_entries + slot, slots, saved_by_last + write});
    }
  }
  return options;
}

class OptimalSavings {
 public:
  explicit OptimalSavings(std::vector<std::vector<PlacementOption>> values)
      : values_(std::move(values)), taken_(40) {
    bound_.resize(values_.size() + 1);
    for (std::size_t i = values_.size(); i-- > 0;) {
      double most = 0;
      for (const PlacementOption& option : values_[i]) most = std::max(most, option.saved);
      bound_[i] = bound_[i + 1] + most;
    }
    try_all(0, 0);
  }
  double saved() const { return best_; }

 private:
  void try_all(std::size_t index, double saved) {
    best_ = std::max(best_, saved);
    if (index == values_.size() || saved + bound_[index] <= best_ + 1e-9) return;
    for (const PlacementOption& option : values_[index]) {
      if ((taken_[option.entry] & option.slots) != 0) continue;
      taken_[option.entry] |= option.slots;
      try_all(index + 1, saved + option.saved);
      taken_[option.entry] &= ~option.slots;
    }
    try_all(index + 1, saved);
  }

  std::vector<std::vector<PlacementOption>> values_;
  std::vector<double> bound_;  ///< The most that the values from one on can save.
  std::vector<std::uint64_t> taken_;
  double best_ = 0;
};

struct Comparison {
  double mean = 0, worst = 1;  ///< What greedy saves, of the most that can be saved.
};

constexpr const char* kLast[] = {"", " and a last result", " and three last results"};

Comparison compare(const Hierarchy& hierarchy) {
  std::mt19937 random(5);
  Comparison comparison;
  constexpr int kStrands = 400;
  for (int i = 0; i < kStrands; ++i) {
    const Function function = random_strand(random, 6 + random() % 8);
    Hierarchy nothing = hierarchy;
    nothing.operand_entries = 0;
    nothing.last_result = LastResultFile::none;
    const double saved = energy_of(place_and_assemble(function, nothing), hierarchy) -
                         energy_of(place_and_assemble(function, hierarchy), hierarchy);
    const CodeOrder code(function);
    std::vector<std::vector<PlacementOption>> options;
    for (const Value& value : find_values(code, find_strands(code, hierarchy), hierarchy).values) {
      options.push_back(options_of(value, function, hierarchy));
    }
    const double best = OptimalSavings(std::move(options)).saved();
    EXPECT_LE(saved, best + 1e-9);
    const double share = best == 0 ? 1 : saved / best;
    comparison.mean += share / kStrands;
    comparison.worst = std::min(comparison.worst, share);
  }
  fmt::print("{} entries{}: {:.2f} % of the best on average, {:.1f} % at worst\n",
             hierarchy.operand_entries, kLast[static_cast<std::size_t>(hierarchy.last_result)],
             100 * comparison.mean, 100 * comparison.worst);
  return comparison;
}

TEST(GreedyPlacement, IsCloseToOptimalEnergy) {
  for (const LastResultFile last :
       {LastResultFile::none, LastResultFile::unified, LastResultFile::split}) {
    for (std::uint32_t entries = 1; entries <= 3; ++entries) {
      Hierarchy hierarchy = usual_hierarchy();
      hierarchy.last_result = last;
      hierarchy.operand_entries = entries;
      EXPECT_GE(compare(hierarchy).mean, entries < 3 ? 0.93 : 0.97);
    }
  }
}

TEST(GreedyPlacement, IsOptimalIfAllValuesFit) {
  EXPECT_GE(compare(two_levels(8)).worst, 1 - 1e-9);
}

}  // namespace
}  // namespace heddle::code::testing
