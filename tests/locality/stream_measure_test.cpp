// The measure of one stream, compared with a count that looks at every pair of accesses.

#include "locality/stream_measure.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace heddle::locality {
namespace {

using Addresses = std::vector<std::uint64_t>;

constexpr std::uint64_t kBase = std::uint64_t{1} << 36;

bool are_neighbours(Reading reading, int n, std::uint64_t a, std::uint64_t b) {
  if (reading == Reading::group) return a >> n == b >> n;
  return (a < b ? b - a : a - b) < std::uint64_t{1} << n;
}

/// By n and m: the accesses that are reused, found by looking at all later accesses in the window.
/// Neighbours stay neighbours in larger neighbourhoods.
using Counts = std::vector<std::vector<std::uint64_t>>;
Counts count_pairs(Reading reading, const Addresses& addresses) {
  Counts reused(kSizes, std::vector<std::uint64_t>(kSizes));
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    int found = kMaxBits + 1;  // The smallest n for which a neighbour has been found.
    for (std::size_t j = i + 1; j < addresses.size() && j - i <= kLargestWindow; ++j) {
      while (found > 0 && are_neighbours(reading, found - 1, addresses[i], addresses[j])) {
        --found;
        for (std::size_t m = 0; m < kSizes; ++m) {
          if (j - i <= std::size_t{1} << m) ++reused[static_cast<std::size_t>(found)][m];
        }
      }
      if (found == 0) break;
    }
  }
  return reused;
}

Counts measure(Reading reading, const Addresses& addresses) {
  StreamMeasure stream(reading);
  SiteCounts counts(1);
  for (const std::uint64_t address : addresses) stream.access(address, 0, counts);
  Counts reused(kSizes, std::vector<std::uint64_t>(kSizes));
  for (int n = 0; n <= kMaxBits; ++n) {
    for (int m = 0; m <= kMaxBits; ++m) {
      reused[static_cast<std::size_t>(n)][static_cast<std::size_t>(m)] =
          counts[0].reused(NeighbourhoodBits(n), WindowBits(m));
    }
  }
  return reused;
}

Addresses random_stream(std::size_t length, std::uint64_t range, std::uint64_t step,
                        std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Addresses addresses;
  for (std::size_t i = 0; i < length; ++i) {
    addresses.push_back(kBase + random() % (range / step) * step);
  }
  return addresses;
}

Addresses walk(std::size_t length, std::uint64_t stride) {
  Addresses addresses;
  for (std::size_t i = 0; i < length; ++i) addresses.push_back(kBase + i * stride);
  return addresses;
}

struct Case {
  std::string name;
  Addresses addresses;
};

std::vector<Case> cases() {
  std::vector<Case> all{
      {"bytes", random_stream(3000, 1 << 12, 1, 1)},
      {"words", random_stream(3000, 1 << 16, 4, 2)},
      {"wide", random_stream(17500, 1 << 22, 4, 3)},
      {"sparse", random_stream(3000, std::uint64_t{1} << 34, 1, 4)},
      {"ascending words", walk(3000, 4)},
      {"ascending lines", walk(3000, 128)},
      {"odd stride", walk(3000, 12)},
      {"one address", walk(300, 0)},
      {"one access", walk(1, 4)},
      {"none", {}},
  };
  // Alignment that gets finer late in the stream.
  Case finer{"finer alignment", random_stream(1000, 1 << 20, 4096, 5)};
  for (const std::uint64_t step : {128, 8, 1}) {
    const Addresses more = random_stream(1000, 1 << 20, step, 6);
    finer.addresses.insert(finer.addresses.end(), more.begin(), more.end());
  }
  all.push_back(finer);
  // Addresses on both sides of a boundary of all groups.
  Case boundary{"boundary", random_stream(2000, 64, 1, 7)};
  for (std::uint64_t& address : boundary.addresses) address -= 32;
  all.push_back(boundary);
  return all;
}

TEST(StreamMeasure, CountsWhatAllPairsOfAccessesGive) {
  for (const Case& each : cases()) {
    for (const Reading reading : {Reading::group, Reading::distance}) {
      EXPECT_EQ(measure(reading, each.addresses), count_pairs(reading, each.addresses))
          << each.name << ", reading " << static_cast<int>(reading);
    }
  }
}

/// A stream whose first address comes again `later` accesses later. All others are far away.
Addresses stream_with_reuse(std::uint64_t later) {
  Addresses addresses{kBase};
  for (std::uint64_t i = 1; i < later; ++i) addresses.push_back(2 * kBase + (i << 20));
  addresses.push_back(kBase);
  return addresses;
}

TEST(StreamMeasure, FindsReuseInTheLastAccessOfAWindowAndNotAfterIt) {
  for (int m = 0; m <= kMaxBits; ++m) {
    const std::uint64_t accesses = WindowBits(m).accesses();
    for (const Reading reading : {Reading::group, Reading::distance}) {
      const Counts in_time = measure(reading, stream_with_reuse(accesses));
      const Counts late = measure(reading, stream_with_reuse(accesses + 1));
      for (int window = 0; window <= kMaxBits; ++window) {
        const auto w = static_cast<std::size_t>(window);
        EXPECT_EQ(in_time[0][w], window >= m ? 1U : 0U) << "2^" << m << ", window 2^" << window;
        EXPECT_EQ(late[0][w], window > m ? 1U : 0U) << "2^" << m << " + 1, window 2^" << window;
      }
    }
  }
}

TEST(StreamMeasure, TellsGroupsFromDistances) {
  // The last byte of one group of 128 bytes, and the first byte of the next.
  const Addresses across{kBase + 127, kBase + 128};
  // The first and the last byte of a group.
  const Addresses inside{kBase, kBase + 127};
  const auto reused = [](Reading reading, const Addresses& addresses, std::size_t n) {
    return measure(reading, addresses)[n][0];
  };
  EXPECT_EQ(reused(Reading::group, across, 7), 0U);
  EXPECT_EQ(reused(Reading::distance, across, 1), 1U);
  EXPECT_EQ(reused(Reading::distance, across, 0), 0U);
  EXPECT_EQ(reused(Reading::group, inside, 7), 1U);
  EXPECT_EQ(reused(Reading::group, inside, 6), 0U);
  EXPECT_EQ(reused(Reading::distance, inside, 7), 1U);
  EXPECT_EQ(reused(Reading::distance, inside, 6), 0U);
}

TEST(StreamMeasure, CountsReuseForTheInstructionThatMadeTheEarlierAccess) {
  StreamMeasure stream(Reading::group);
  SiteCounts counts(8);
  stream.access(kBase, 5, counts);
  stream.access(kBase, 2, counts);
  stream.access(kBase + 4, 7, counts);
  const auto reused = [&](std::uint32_t pc, int n) {
    return counts[pc].reused(NeighbourhoodBits(n), WindowBits(0));
  };
  EXPECT_EQ(reused(5, 0), 1U);
  EXPECT_EQ(reused(2, 0), 0U);
  EXPECT_EQ(reused(2, 3), 1U);
  EXPECT_EQ(reused(7, 14), 0U);
}

TEST(StreamMeasure, ReusesNothingOfAnEarlierStream) {
  for (const Reading reading : {Reading::group, Reading::distance}) {
    const Addresses addresses = random_stream(2000, 1 << 14, 4, 8);
    StreamMeasure stream(reading);
    SiteCounts twice(1);
    for (const std::uint64_t address : addresses) stream.access(address, 0, twice);
    stream.restart();
    for (const std::uint64_t address : addresses) stream.access(address, 0, twice);
    const Counts once = count_pairs(reading, addresses);
    for (int n = 0; n <= kMaxBits; ++n) {
      for (int m = 0; m <= kMaxBits; ++m) {
        EXPECT_EQ(twice[0].reused(NeighbourhoodBits(n), WindowBits(m)),
                  2 * once[static_cast<std::size_t>(n)][static_cast<std::size_t>(m)])
            << n << ", " << m;
      }
    }
  }
}

TEST(StreamMeasure, TakesNoMoreMemoryForALongerStream) {
  const auto bytes_after = [](std::size_t length) {
    StreamMeasure stream(Reading::group);
    SiteCounts counts(1);
    std::mt19937_64 random(9);
    for (std::size_t i = 0; i < length; ++i) stream.access(kBase + random() % kBase, 0, counts);
    return stream.table_bytes();
  };
  const std::size_t after_windows = bytes_after(3 * kLargestWindow);
  EXPECT_EQ(bytes_after(9 * kLargestWindow), after_windows);
  EXPECT_LE(after_windows, std::size_t{9} << 20);
}

}  // namespace
}  // namespace heddle::locality
