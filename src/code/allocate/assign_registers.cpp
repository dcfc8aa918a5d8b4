#include "code/allocate/assign_registers.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace heddle::code {
namespace {

/// The number of registers that are added for the reuse distance. With spare registers, a write
/// need not wait for instructions that still read the old value.
constexpr std::uint32_t kSpareRegisters = 2;
/// Hardware gives threads registers in units of this number. So using the rest of the last unit
/// costs nothing.
constexpr std::uint32_t kAllocationUnit = 8;
/// Code that needs fewer registers than this gets no spare registers.
constexpr std::uint32_t kMinForSpares = 8;
constexpr std::uint32_t kPositionsPerInstruction = 2;  ///< See Segment.

/// The positions at which a physical register is occupied.
class RegisterUse {
 public:
  bool is_taken_at(std::uint32_t position) const {
    const auto at = first_ending_after(position);
    return at != segments_.end() && at->start <= position;
  }
  bool overlaps(const Segments& segments) const { return overlap(segments_, segments); }
  void take(const Segments& segments) {
    if (segments_.empty() || segments_.back().end <= segments.front().start) {
      segments_.insert(segments_.end(), segments.begin(), segments.end());
    } else {
      merge_into(segments_, segments);
    }
  }
  /// Whether the register became free fewer than `reach` positions before `position`.
  bool is_freed_shortly_before(std::uint32_t position, std::uint32_t reach) const {
    const auto at = first_ending_after(position);
    return at != segments_.begin() && std::prev(at)->end + reach > position;
  }

 private:
  /// The first segment that ends after `position`; the end iterator if there is none.
  Segments::const_iterator first_ending_after(std::uint32_t position) const {
    return std::partition_point(segments_.begin(), segments_.end(),
                                [&](const Segment& segment) { return segment.end <= position; });
  }
  Segments segments_;
};

std::uint32_t start_of(const Bundle& bundle) {
  std::uint32_t start = ~std::uint32_t{0};
  for (std::size_t word = 0; word < bundle.width; ++word) {
    if (!bundle.words[word].empty()) start = std::min(start, bundle.words[word].front().start);
  }
  return start;
}

std::uint64_t length_of(const Bundle& bundle) {
  std::uint64_t length = 0;
  for (std::size_t word = 0; word < bundle.width; ++word) {
    for (const Segment& segment : bundle.words[word]) length += segment.end - segment.start;
  }
  return length;
}

/// One attempt to assign registers to bundles.
class Assignment {
 public:
  Assignment(const std::vector<const Bundle*>& bundles, std::uint32_t limit,
             const Reserved& reserved, std::uint32_t reuse_distance)
      : bundles_(bundles),
        registers_(limit),
        first_register_(bundles.size()),
        reuse_distance_(reuse_distance) {
    for (const std::uint32_t index : reserved) {
      if (index < limit) registers_[index].take({{0, ~std::uint32_t{0}}});
    }
  }

  /// Assigns the bundles in this order. Returns false if one of them does not fit.
  bool run(const std::vector<std::uint32_t>& order) {
    for (const std::uint32_t index : order) {
      if (!place(index)) return false;
    }
    return true;
  }
  std::vector<std::uint32_t> take_first_registers() { return std::move(first_register_); }

 private:
  bool fits(const Bundle& bundle, std::uint32_t base) const {
    for (std::uint32_t word = 0; word < bundle.width; ++word) {
      const Segments& segments = bundle.words[word];
      if (!segments.empty() && registers_[base + word].is_taken_at(segments.front().start)) {
        return false;
      }
    }
    for (std::uint32_t word = 0; word < bundle.width; ++word) {
      if (registers_[base + word].overlaps(bundle.words[word])) return false;
    }
    return true;
  }

  /// The cost of splitting a free pair. A value of one word should go next to an occupied register,
  /// so that aligned pairs stay free for wide values.
  std::uint32_t broken_pairs(const Bundle& bundle, std::uint32_t base) const {
    const std::uint32_t neighbour = base ^ 1U;
    if (neighbour >= registers_.size()) return 0;
    const Segments& segments = bundle.words[0];
    if (segments.empty()) return 0;
    std::uint32_t broken = registers_[neighbour].is_taken_at(segments.front().start) ? 0 : 2;
    if (!registers_[neighbour].is_taken_at(segments.back().end - 1)) ++broken;
    return broken;
  }

  /// The cost of writing a register that was just read: the write may have to wait for the reader.
  std::uint32_t reuse_cost(const Bundle& bundle, std::uint32_t base) const {
    constexpr std::uint32_t kCost = 4;
    if (reuse_distance_ == 0) return 0;
    for (std::uint32_t word = 0; word < bundle.width; ++word) {
      const Segments& segments = bundle.words[word];
      if (!segments.empty() && registers_[base + word].is_freed_shortly_before(
                                   segments.front().start, reuse_distance_)) {
        return kCost;
      }
    }
    return 0;
  }

  /// Assigns the registers of lowest cost to a bundle. Returns false if it does not fit.
  bool place(std::uint32_t index) {
    const Bundle& bundle = *bundles_[index];
    const auto limit = static_cast<std::uint32_t>(registers_.size());
    std::uint32_t best = limit;
    std::uint32_t best_cost = ~std::uint32_t{0};
    for (std::uint32_t base = 0; base + bundle.width <= limit; base += bundle.width) {
      if (!fits(bundle, base)) continue;
      const std::uint32_t cost =
          (bundle.width == 1 ? broken_pairs(bundle, base) : 0) + reuse_cost(bundle, base);
      if (cost < best_cost) {
        best = base;
        best_cost = cost;
      }
      if (cost == 0) break;
    }
    if (best == limit) return false;
    for (std::uint32_t word = 0; word < bundle.width; ++word) {
      if (!bundle.words[word].empty()) registers_[best + word].take(bundle.words[word]);
    }
    first_register_[index] = best;
    return true;
  }

  const std::vector<const Bundle*>& bundles_;
  std::vector<RegisterUse> registers_;
  std::vector<std::uint32_t> first_register_;
  std::uint32_t reuse_distance_;  ///< In positions.
};

/// Orders in which to assign registers to the bundles. No single order is best for every function.
std::vector<std::vector<std::uint32_t>> orders_of(const std::vector<const Bundle*>& bundles) {
  const std::size_t count = bundles.size();
  std::vector<std::uint32_t> start(count);
  std::vector<std::uint64_t> length(count);
  std::vector<std::uint32_t> by_start(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    start[i] = start_of(*bundles[i]);
    length[i] = length_of(*bundles[i]);
    by_start[i] = i;
  }
  std::stable_sort(by_start.begin(), by_start.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (start[a] != start[b]) return start[a] < start[b];
    return bundles[a]->width > bundles[b]->width;
  });
  std::vector<std::uint32_t> wide_first = by_start;
  std::stable_sort(wide_first.begin(), wide_first.end(), [&](std::uint32_t a, std::uint32_t b) {
    return bundles[a]->width > bundles[b]->width;
  });
  // Bundles with several separate live segments are hard to place, so one order begins with them.
  std::vector<std::uint32_t> long_first = by_start;
  std::stable_sort(long_first.begin(), long_first.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return length[a] > length[b]; });
  std::vector<std::uint32_t> scattered_first = by_start;
  std::stable_sort(scattered_first.begin(), scattered_first.end(),
                   [&](std::uint32_t a, std::uint32_t b) {
                     return (bundles[a]->words[0].size() > 1) > (bundles[b]->words[0].size() > 1);
                   });
  return {by_start, scattered_first, wide_first, long_first};
}

/// Tries the orders until one succeeds. `reuse_distance` is in positions.
std::optional<std::vector<std::uint32_t>> assign_in_orders(
    const std::vector<const Bundle*>& bundles, std::uint32_t limit, const Reserved& reserved,
    const std::vector<std::vector<std::uint32_t>>& orders, std::uint32_t reuse_distance = 0) {
  for (const auto& order : orders) {
    Assignment assignment(bundles, limit, reserved, reuse_distance);
    if (assignment.run(order)) return assignment.take_first_registers();
  }
  return std::nullopt;
}

}  // namespace

std::uint32_t highest_pressure(const std::vector<const Bundle*>& bundles,
                               std::uint32_t end_position) {
  std::vector<std::int32_t> change(end_position + 1);
  for (const Bundle* bundle : bundles) {
    for (std::size_t word = 0; word < bundle->width; ++word) {
      for (const Segment& segment : bundle->words[word]) {
        ++change[segment.start];
        --change[segment.end];
      }
    }
  }
  std::int32_t now = 0;
  std::int32_t highest = 0;
  for (const std::int32_t step : change) highest = std::max(highest, now += step);
  return static_cast<std::uint32_t>(highest);
}

std::optional<std::vector<std::uint32_t>> assign_registers(
    const std::vector<const Bundle*>& bundles, std::uint32_t limit, const Reserved& reserved) {
  return assign_in_orders(bundles, limit, reserved, orders_of(bundles));
}

std::optional<std::vector<std::uint32_t>> assign_registers_tightly(
    const std::vector<const Bundle*>& bundles, std::uint32_t end_position, std::uint32_t limit,
    const Reserved& reserved, const ReuseOptions& reuse) {
  const auto orders = orders_of(bundles);
  const std::uint32_t lowest = highest_pressure(bundles, end_position);
  std::uint32_t step = 1;
  std::uint32_t tries = 0;
  for (std::uint32_t at = std::max<std::uint32_t>(lowest, 1); at < limit; at += step) {
    if (auto places = assign_in_orders(bundles, at, reserved, orders)) {
      if (at < kMinForSpares || reuse.distance == 0) return places;
      const std::uint32_t units =
          (at + reuse.hidden_registers + kAllocationUnit - 1) / kAllocationUnit;
      const std::uint32_t ample =
          std::min({limit, at + kSpareRegisters, units * kAllocationUnit - reuse.hidden_registers});
      auto relaxed = assign_in_orders(bundles, ample, reserved, orders,
                                      reuse.distance * kPositionsPerInstruction);
      return relaxed ? relaxed : places;
    }
    // Growing steps limit the number of attempts.
    if (++tries % 8 == 0) step *= 2;
  }
  return assign_in_orders(bundles, limit, reserved, orders);
}

}  // namespace heddle::code
