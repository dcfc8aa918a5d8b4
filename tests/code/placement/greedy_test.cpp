// Compares the compiler's greedy placement of values in the register hierarchy with the best
// placement, which an exhaustive search finds.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "code/placement/strands.h"
#include "code/placement/values.h"
#include "placed_code.h"

namespace heddle::code::testing {
namespace {

/// A strand (code that begins with empty upper levels) without branches, and another strand that
/// reads some of its results.
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

/// The energy of all register accesses if each instruction is executed once.
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

/// A way to place a value: it occupies one entry of an upper level from its writer to one of its
/// reads.
struct PlacementOption {
  std::uint32_t entry = 0;      ///< Entries of the operand file are numbered first.
  std::uint64_t positions = 0;  ///< Bit mask of the instructions that find the entry occupied.
  double saved = 0;             ///< The energy saved.
};

/// All options that the dissertation's algorithm (section 6.4) has for a value with one writer.
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
    operands |= value.reads[i].source_mask;
    const bool is_last_read = i + 1 == value.reads.size();
    const double write =
        is_last_read && !value.is_read_operand && !value.writers[0].needs_main ? e.main_write : 0;
    const std::uint64_t positions = (std::uint64_t{1} << at) - (std::uint64_t{1} << writer);
    for (std::uint32_t entry = 0; entry < hierarchy.operand_entries; ++entry) {
      if (saved + write > 0) options.push_back({entry, positions, saved + write});
    }
    for (std::uint32_t slot = 0; is_last_read && is_private && slot < 3; ++slot) {
      const bool is_allowed =
          hierarchy.last_result == LastResultFile::unified ? slot == 0 : operands == 1U << slot;
      if (is_allowed) {
        options.push_back({hierarchy.operand_entries + slot, positions, saved_by_last + write});
      }
    }
  }
  return options;
}

/// Searches for the set of options, at most one for each value, that saves the most energy.
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
  /// Tries all options of the values from `index` on. The values before it save `saved`.
  void try_all(std::size_t index, double saved) {
    best_ = std::max(best_, saved);
    if (index == values_.size() || saved + bound_[index] <= best_ + 1e-9) return;
    for (const PlacementOption& option : values_[index]) {
      if ((taken_[option.entry] & option.positions) != 0) continue;
      taken_[option.entry] |= option.positions;
      try_all(index + 1, saved + option.saved);
      taken_[option.entry] &= ~option.positions;
    }
    try_all(index + 1, saved);
  }

  std::vector<std::vector<PlacementOption>> values_;
  std::vector<double> bound_;         ///< By value: the most that it and all later values can save.
  std::vector<std::uint64_t> taken_;  ///< By entry: bit mask of the occupied positions.
  double best_ = 0;
};

/// The energy that the greedy algorithm saves, as a fraction of the most that can be saved: the
/// mean and the lowest of all strands.
struct Comparison {
  double mean = 0, worst = 1;
};

/// By LastResultFile: its description in the printed line.
constexpr const char* kLast[] = {"", " and a last result", " and three last results"};

/// Compares both placements of 400 random strands, and prints the result.
Comparison compare(const Hierarchy& hierarchy) {
  std::mt19937 random(5);
  Comparison comparison;
  constexpr int kStrands = 400;
  for (int i = 0; i < kStrands; ++i) {
    const Function function = random_strand(random, 6 + random() % 8);
    Hierarchy main_only = hierarchy;
    main_only.operand_entries = 0;
    main_only.last_result = LastResultFile::none;
    const double saved = energy_of(place_and_assemble(function, main_only), hierarchy) -
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
