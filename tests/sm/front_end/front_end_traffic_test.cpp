// FrontEnd under random traffic, compared with a model that works instruction by instruction and
// cycle by cycle.

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "sm/front_end/front_end.h"

namespace heddle::sm {
namespace {

class FrontEndModel {
 public:
  FrontEndModel(const FetchDescription& fetch, const InstructionCacheDescription& cache)
      : fetch_(fetch), cache_(cache), warps_(kMaxWarps) {}

  std::uint64_t redirect(WarpSlot warp, std::uint32_t pc, std::uint64_t from) {
    Warp& w = warps_[warp];
    w.buffer.clear();
    w.fetch_pc = pc;
    w.last_access.reset();
    return fetch_until_ready(w, from);
  }
  std::uint64_t advance(WarpSlot warp, std::uint64_t now) {
    Warp& w = warps_[warp];
    w.buffer.pop_front();
    return std::max(now + 1, fetch_until_ready(w, now + 1));
  }

 private:
  struct Warp {
    std::deque<std::uint64_t> buffer;  ///< When each instruction can issue.
    std::uint32_t fetch_pc = 0;
    std::optional<std::uint64_t> last_access;
  };
  struct Line {
    std::uint64_t number = 0;
    std::uint64_t arrives = 0;
  };

  /// Whether one access fetches both instructions.
  bool same_access(std::uint32_t a, std::uint32_t b) const {
    const bool same_line =
        cache_.bytes == 0 || a * 8 / cache_.line_bytes == b * 8 / cache_.line_bytes;
    return a / fetch_.width == b / fetch_.width && same_line;
  }
  /// The largest number of instructions that one access fetches.
  std::uint32_t full_group() const {
    std::uint32_t count = 1;
    while (same_access(0, count)) ++count;
    return count;
  }
  std::uint64_t fetch_until_ready(Warp& w, std::uint64_t from) {
    while (w.buffer.empty() || w.buffer.size() + full_group() <= fetch_.buffer) {
      std::uint64_t cycle = from;
      if (w.last_access) cycle = std::max(cycle, *w.last_access + 1);
      while (accesses_[cycle] == fetch_.ports) ++cycle;
      ++accesses_[cycle];
      w.last_access = cycle;
      const std::uint64_t ready = access_line(w.fetch_pc, cycle) + fetch_.latency;
      const std::uint32_t first = w.fetch_pc;
      while (same_access(first, w.fetch_pc)) {
        w.buffer.push_back(ready);
        ++w.fetch_pc;
      }
    }
    return w.buffer.front();
  }
  std::uint64_t access_line(std::uint32_t pc, std::uint64_t cycle) {
    if (cache_.bytes == 0) return cycle;
    const std::uint64_t number = pc * 8 / cache_.line_bytes;
    const std::uint64_t sets = cache_.bytes / cache_.line_bytes / cache_.ways;
    std::list<Line>& set = sets_[number % sets];  // The most recently used is in front.
    const auto found =
        std::find_if(set.begin(), set.end(), [&](const Line& l) { return l.number == number; });
    if (found == set.end()) {
      set.push_front({.number = number, .arrives = cycle + cache_.miss_cycles});
      if (set.size() > cache_.ways) set.pop_back();
    } else {
      set.splice(set.begin(), set, found);
    }
    Line& line = set.front();
    line.arrives = std::min(line.arrives, cycle + cache_.miss_cycles);
    return std::max(cycle, line.arrives);
  }

  FetchDescription fetch_;
  InstructionCacheDescription cache_;
  std::vector<Warp> warps_;
  std::map<std::uint64_t, std::uint32_t> accesses_;
  std::map<std::uint64_t, std::list<Line>> sets_;
};

// Compares the front end with the model. Warps issue as soon as they can or some cycles later, and
// branch at random.
void expect_as_model(const FetchDescription& fetch, const InstructionCacheDescription& cache,
                     WarpSlot warps, unsigned seed) {
  SCOPED_TRACE(testing::Message() << "width " << fetch.width << ", buffer " << fetch.buffer
                                  << ", ports " << fetch.ports << ", cache " << cache.bytes
                                  << ", warps " << warps);
  InstructionCache instruction_cache(cache);
  FrontEnd front_end(fetch, instruction_cache);
  FrontEndModel model(fetch, cache);
  std::mt19937 random(seed);
  std::vector<std::uint32_t> pcs(warps);
  std::vector<Cycle> ready(warps);
  const auto some_pc = [&] { return static_cast<std::uint32_t>(random() % 200); };
  for (WarpSlot warp = 0; warp < warps; ++warp) {
    pcs[warp] = some_pc();
    ready[warp] = front_end.redirect(warp, pcs[warp], Cycle(0));
    ASSERT_EQ(ready[warp].number, model.redirect(warp, pcs[warp], 0)) << "warp " << warp;
  }
  for (int step = 0; step < 4000; ++step) {
    const auto next = std::min_element(ready.begin(), ready.end());
    const auto warp = static_cast<WarpSlot>(next - ready.begin());
    const Cycle now = *next;
    if (random() % 8 == 0) {
      pcs[warp] = some_pc();
      const Cycle from = now + Cycles(1 + random() % 30);
      ready[warp] = front_end.redirect(warp, pcs[warp], from);
      ASSERT_EQ(ready[warp].number, model.redirect(warp, pcs[warp], from.number)) << step;
    } else {
      ready[warp] = front_end.advance(warp, ++pcs[warp], now);
      ASSERT_EQ(ready[warp].number, model.advance(warp, now.number)) << step;
    }
    if (random() % 4 == 0) ready[warp] += Cycles(random() % 20);
  }
}

TEST(FrontEnd, MatchesModelOnRandomTraffic) {
  unsigned seed = 0;
  for (const std::uint32_t width : {1u, 2u, 4u, 8u}) {
    for (const std::uint32_t buffer : {width, width + 1, 16u}) {
      for (const std::uint32_t ports : {1u, 2u}) {
        for (const WarpSlot warps : {1u, 5u, 24u}) {
          const FetchDescription fetch{
              .width = width, .ports = ports, .latency = 1 + seed % 5, .buffer = buffer};
          expect_as_model(fetch, {.bytes = 0}, warps, ++seed);
          expect_as_model(fetch, {.bytes = 512, .line_bytes = 32, .ways = 4, .miss_cycles = 25},
                          warps, ++seed);
        }
      }
    }
  }
}

}  // namespace
}  // namespace heddle::sm
