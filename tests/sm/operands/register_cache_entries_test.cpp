// The entries of one warp's register cache under random traffic, compared with a simple model.

#include "sm/operands/register_cache_entries.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace heddle::sm {
namespace {

/// A list of lines. The first line is the next one to be evicted.
class Model {
 public:
  struct Line {
    std::uint16_t word = 0;
    std::uint32_t valid = 0;
    std::uint32_t dirty = 0;
  };

  Model(std::size_t entries, bool lru) : entries_(entries), lru_(lru) {}

  std::uint32_t lanes_of(std::uint16_t word) const {
    const auto found = find(word);
    return found == lines_.end() ? 0 : found->valid;
  }
  void use(std::uint16_t word) {
    const auto found = find(word);
    if (!lru_) return;
    const auto line = lines_.begin() + (found - lines_.begin());
    std::rotate(line, line + 1, lines_.end());
  }
  void mark_dead(std::uint16_t word, std::uint32_t lanes) {
    for (Line& line : lines_) {
      if (line.word == word) line.dirty &= ~lanes;
    }
  }
  void drop(std::uint16_t word, std::uint32_t lanes) {
    for (auto line = lines_.begin(); line != lines_.end(); ++line) {
      if (line->word != word) continue;
      line->valid &= ~lanes;
      line->dirty &= ~lanes;
      if (line->valid == 0) lines_.erase(line);
      return;
    }
  }
  std::vector<Line> put(std::uint16_t word, std::uint32_t lanes, bool dirty) {
    std::vector<Line> evicted;
    if (find(word) == lines_.end()) {
      if (lines_.size() == entries_) {
        evicted.push_back(lines_.front());
        lines_.erase(lines_.begin());
      }
      lines_.push_back({.word = word});
    }
    for (Line& line : lines_) {
      if (line.word != word) continue;
      line.valid |= lanes;
      if (dirty) line.dirty |= lanes;
    }
    use(word);
    return evicted;
  }
  const std::vector<Line>& lines() const { return lines_; }
  void clear() { lines_.clear(); }

 private:
  std::vector<Line>::const_iterator find(std::uint16_t word) const {
    return std::find_if(lines_.begin(), lines_.end(),
                        [&](const Line& line) { return line.word == word; });
  }

  std::size_t entries_;
  bool lru_;
  std::vector<Line> lines_;
};

void compare(const RegisterCacheEntries& cache, const Model& model) {
  std::size_t count = 0;
  cache.for_each([&](const RegisterCacheEntries::Entry& entry) {
    ++count;
    EXPECT_EQ(entry.valid.bits(), model.lanes_of(entry.reg));
    for (const Model::Line& line : model.lines()) {
      if (line.word != entry.reg) continue;
      EXPECT_EQ(entry.dirty.bits(), line.dirty);
    }
  });
  EXPECT_EQ(count, model.lines().size());
}

TEST(RegisterCacheEntries, MatchModelUnderRandomTraffic) {
  for (const std::uint32_t entries : {1U, 2U, 6U, 13U}) {
    for (const bool lru : {false, true}) {
      std::mt19937 random(entries + (lru ? 100 : 0));
      RegisterCacheEntries cache(entries, lru ? EntryReplacement::lru : EntryReplacement::fifo);
      Model model(entries, lru);
      for (int i = 0; i < 20000; ++i) {
        const auto word = static_cast<std::uint16_t>(random() % (entries + 4));
        // Accesses are mostly by all lanes, because most threads do not diverge.
        const std::uint32_t lanes = random() % 4 == 0 ? random() | 1 : ~0U;
        switch (random() % 8) {
          case 0:
          case 1:
          case 2: {
            const bool dirty = random() % 2 == 0;
            const auto evicted = cache.allocate(word);
            cache.put(word, LaneMask(lanes), dirty);
            const auto expected = model.put(word, lanes, dirty);
            ASSERT_EQ(evicted.has_value(), !expected.empty()) << "step " << i;
            if (!evicted) break;
            EXPECT_EQ(evicted->reg, expected.front().word);
            EXPECT_EQ(evicted->valid.bits(), expected.front().valid);
            EXPECT_EQ(evicted->dirty.bits(), expected.front().dirty);
            break;
          }
          case 3:
            cache.drop(word, LaneMask(lanes));
            model.drop(word, lanes);
            break;
          case 5:
            cache.mark_dead(word, LaneMask(lanes));
            model.mark_dead(word, lanes);
            break;
          case 4:
            if (random() % 64 != 0) break;
            cache.clear();
            model.clear();
            break;
          default:
            ASSERT_EQ(cache.lanes_of(word).bits(), model.lanes_of(word)) << "step " << i;
            if (model.lanes_of(word) == 0) break;
            cache.touch(word);
            model.use(word);
        }
        compare(cache, model);
      }
    }
  }
}

}  // namespace
}  // namespace heddle::sm
