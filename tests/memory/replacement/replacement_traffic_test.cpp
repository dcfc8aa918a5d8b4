// Compares the victims of replacement policies with models of one set, under random traffic.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <list>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "memory/replacement/letter_cache.h"

namespace heddle::memory {
namespace {

using Ways = std::set<std::size_t>;

/// Models a policy's knowledge of one set.
class PolicyModel {
 public:
  PolicyModel() = default;
  PolicyModel(const PolicyModel&) = delete;
  PolicyModel& operator=(const PolicyModel&) = delete;
  virtual ~PolicyModel() = default;

  virtual void use(std::size_t way) = 0;
  virtual void allocate(std::size_t way) = 0;
  virtual std::size_t victim(const Ways& evictable) const = 0;
};

/// A list of ways, from the first victim to the last.
class ListModel : public PolicyModel {
 public:
  void allocate(std::size_t way) override {
    order_.remove(way);
    order_.push_back(way);
  }
  std::size_t victim(const Ways& evictable) const override {
    return *std::find_if(order_.begin(), order_.end(),
                         [&](std::size_t way) { return evictable.contains(way); });
  }

 private:
  std::list<std::size_t> order_;
};

class FifoModel final : public ListModel {
 public:
  void use(std::size_t) override {}
};

class LruModel final : public ListModel {
 public:
  void use(std::size_t way) override { allocate(way); }
};

/// A tree of nodes for the ways `first` to `first + count - 1`.
class TreeModel final : public PolicyModel {
 public:
  TreeModel(std::size_t first, std::size_t count) : first_(first), count_(count) {
    if (count == 1) return;
    lower_ = std::make_unique<TreeModel>(first, count / 2);
    upper_ = std::make_unique<TreeModel>(first + count / 2, count / 2);
  }
  void use(std::size_t way) override {
    if (count_ == 1) return;
    points_to_upper_ = lower_->contains(way);
    (points_to_upper_ ? lower_ : upper_)->use(way);
  }
  void allocate(std::size_t way) override { use(way); }
  std::size_t victim(const Ways& evictable) const override {
    if (count_ == 1) return first_;
    const TreeModel& preferred = points_to_upper_ ? *upper_ : *lower_;
    const TreeModel& other = points_to_upper_ ? *lower_ : *upper_;
    return (preferred.contains_any(evictable) ? preferred : other).victim(evictable);
  }

 private:
  bool contains(std::size_t way) const { return way >= first_ && way < first_ + count_; }
  bool contains_any(const Ways& ways) const {
    return std::any_of(ways.begin(), ways.end(), [&](std::size_t way) { return contains(way); });
  }

  std::size_t first_;
  std::size_t count_;
  bool points_to_upper_ = false;
  std::unique_ptr<TreeModel> lower_;
  std::unique_ptr<TreeModel> upper_;
};

std::unique_ptr<PolicyModel> make_model(const std::string& policy, std::size_t ways) {
  if (policy == "lru") return std::make_unique<LruModel>();
  if (policy == "fifo") return std::make_unique<FifoModel>();
  return std::make_unique<TreeModel>(0, ways);
}

/// One set: the line in each way, and the policy's model.
struct SetModel {
  std::vector<std::optional<std::uint64_t>> lines;
  Ways in_flight;
  std::unique_ptr<PolicyModel> policy;

  std::optional<std::size_t> way_of(std::optional<std::uint64_t> line) const {
    const auto found = std::find(lines.begin(), lines.end(), line);
    if (found == lines.end()) return std::nullopt;
    return static_cast<std::size_t>(found - lines.begin());
  }
  /// The way that a new line is put into; empty if all lines are in flight.
  std::optional<std::size_t> place_for_new_line() const {
    if (const auto empty = way_of(std::nullopt)) return empty;
    Ways evictable;
    for (std::size_t way = 0; way < lines.size(); ++way) {
      if (!in_flight.contains(way)) evictable.insert(way);
    }
    if (evictable.empty()) return std::nullopt;
    return policy->victim(evictable);
  }
};

class PolicyTraffic {
 public:
  PolicyTraffic(const std::string& policy, std::uint32_t ways, unsigned seed)
      : tags_({.bytes = kSets * 64 * ways,
               .line_bytes = 64,
               .sector_bytes = 64,
               .ways = ways,
               .replacement = replacement_of(policy)}),
        sets_(kSets),
        random_(seed),
        line_count_(kSets * (2 * ways + 1)) {
    for (SetModel& set : sets_) {
      set.lines.resize(ways);
      set.policy = make_model(policy, ways);
    }
  }

  void run(int steps) {
    for (int step = 0; step < steps && !testing::Test::HasFailure(); ++step) {
      SCOPED_TRACE(testing::Message() << "step " << step);
      this->step(random_() % line_count_);
    }
    EXPECT_GT(evictions_, steps / 20);
  }

 private:
  static constexpr std::uint64_t kSets = 3;

  void step(std::uint64_t line) {
    SetModel& set = sets_[line % kSets];
    const auto way = set.way_of(line);
    const std::uint64_t action = random_() % 16;
    if (!way) {
      load(set, line);
    } else if (set.in_flight.contains(*way)) {
      tags_.fill(line, 1);
      set.in_flight.erase(*way);
    } else if (action == 0) {
      tags_.invalidate(line);
      set.lines[*way] = std::nullopt;
    } else {
      use(line, action);
      set.policy->use(*way);
    }
  }
  void load(SetModel& set, std::uint64_t line) {
    const auto place = set.place_for_new_line();
    const auto reservation = tags_.reserve(line, 1);
    ASSERT_EQ(reservation.has_value(), place.has_value());
    if (!place) return;
    const auto evicted = reservation->evicted;
    ASSERT_EQ(evicted ? std::optional(evicted->line) : std::nullopt, set.lines[*place]);
    evictions_ += evicted ? 1 : 0;
    set.lines[*place] = line;
    set.in_flight.insert(*place);
    set.policy->allocate(*place);
    if (random_() % 4 == 0) return;
    tags_.fill(line, 1);
    set.in_flight.erase(*place);
  }
  /// All ways in which caches use a line that is present.
  void use(std::uint64_t line, std::uint64_t action) {
    switch (action % 4) {
      case 0:
        return tags_.touch(line);
      case 1:
        return tags_.write(line, 1, action > 8);
      case 2:
        ASSERT_TRUE(tags_.reserve(line, 1).has_value());
        return;
      default:
        ASSERT_TRUE(tags_.insert(line, 1, false).has_value());
    }
  }

  CacheTags tags_;
  std::vector<SetModel> sets_;
  std::mt19937_64 random_;
  std::uint64_t line_count_;
  int evictions_ = 0;
};

void expect_victims_of_model(const std::string& policy,
                             std::initializer_list<std::uint32_t> ways_to_try) {
  unsigned seed = 0;
  for (const std::uint32_t ways : ways_to_try) {
    SCOPED_TRACE(testing::Message() << ways << " ways");
    for (int run = 0; run < 3; ++run) PolicyTraffic(policy, ways, ++seed).run(10'000);
  }
}

TEST(ReplacementTraffic, LruAgreesWithList) { expect_victims_of_model("lru", {1, 2, 3, 8, 24}); }

TEST(ReplacementTraffic, FifoAgreesWithList) { expect_victims_of_model("fifo", {1, 2, 3, 8, 24}); }

TEST(ReplacementTraffic, PseudoLruAgreesWithRecursiveTree) {
  expect_victims_of_model("pseudo-lru", {1, 2, 4, 8, 32});
}

}  // namespace
}  // namespace heddle::memory
