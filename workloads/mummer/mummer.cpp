#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "kernel.h"
#include "suffix_tree.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::mummer_host {
namespace {

using ::mummer::Match;
using ::mummer::Queries;

constexpr std::uint32_t kBlock = 256;

struct Extent {
  std::size_t reference;
  std::size_t queries;
  int shortest_match;
};

Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {300, 70, 12};
    case Size::small:
      return {1'500, 3'000, 20};
    case Size::medium:
      return {3'300, 15'000, 20};
    case Size::large:
    case Size::paper:
      break;
  }
  return {60'000, 60'000, 20};
}

char random_base(Random& random) { return static_cast<char>(random.below(::mummer::kBases)); }

/// A genome with repeats, some of them slightly modified. Without repeats, no text would occur
/// twice.
std::string make_genome(std::size_t length, Random& random) {
  std::string genome;
  while (genome.size() < length) {
    if (genome.size() > 50 && random.below(60) == 0) {
      const std::size_t from = random.below(static_cast<std::uint32_t>(genome.size() - 40));
      for (std::size_t i = 0; i < 40; ++i) {
        genome.push_back(random.below(25) == 0 ? random_base(random) : genome[from + i]);
      }
    } else {
      genome.push_back(random_base(random));
    }
  }
  genome.resize(length);
  return genome;
}

/// The output of a sequencer: mostly pieces of the genome, from either strand, with some wrong
/// bases; some reads are from elsewhere.
std::string make_read(const std::string& genome, Random& random) {
  const std::size_t length = 36 + random.below(30);
  if (random.below(12) == 0) {
    std::string other(length, 0);
    for (char& base : other) base = random_base(random);
    return other;
  }
  std::string read =
      genome.substr(random.below(static_cast<std::uint32_t>(genome.size() - length)), length);
  if (random.below(4) == 0) {
    std::reverse(read.begin(), read.end());
    for (char& base : read) base = static_cast<char>(::mummer::kBases - 1 - base);
  }
  for (char& base : read) {
    if (random.below(40) == 0) base = random_base(random);
  }
  return read;
}

/// All suffixes in lexicographic order: those with a common prefix are neighbours.
class SuffixArray {
 public:
  explicit SuffixArray(std::string_view text) : text_(text), order_(text.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::sort(order_.begin(), order_.end(),
              [&](std::size_t a, std::size_t b) { return text_.substr(a) < text_.substr(b); });
  }

  /// The length of the longest prefix of `query` that is a prefix of some suffix. That suffix is a
  /// neighbour of `query` in the array.
  std::size_t longest_match(std::string_view query) const {
    const auto at = std::lower_bound(
        order_.begin(), order_.end(), query,
        [&](std::size_t suffix, std::string_view sought) { return text_.substr(suffix) < sought; });
    std::size_t longest = 0;
    if (at != order_.end()) longest = in_common(*at, query);
    if (at != order_.begin()) longest = std::max(longest, in_common(*(at - 1), query));
    return longest;
  }

  std::size_t occurrences(std::string_view sought) const {
    const auto start_of = [&](std::size_t suffix) { return text_.substr(suffix, sought.size()); };
    const auto first = std::partition_point(order_.begin(), order_.end(), [&](std::size_t suffix) {
      return start_of(suffix) < sought;
    });
    const auto end = std::partition_point(
        first, order_.end(), [&](std::size_t suffix) { return start_of(suffix) == sought; });
    return static_cast<std::size_t>(end - first);
  }

 private:
  std::size_t in_common(std::size_t suffix, std::string_view query) const {
    const std::string_view other = text_.substr(suffix, query.size());
    const auto differ = std::mismatch(other.begin(), other.end(), query.begin());
    return static_cast<std::size_t>(differ.first - other.begin());
  }

  std::string_view text_;
  std::vector<std::size_t> order_;
};

class Mummer final : public HostProgram {
 public:
  Mummer(Size size, std::uint64_t seed) : shortest_match_(extent_of(size).shortest_match) {
    Random random(seed);
    const Extent extent = extent_of(size);
    genome_ = make_genome(extent.reference, random);
    begin_.push_back(0);
    first_match_.push_back(0);
    for (std::size_t i = 0; i < extent.queries; ++i) {
      const std::string read = make_read(genome_, random);
      reads_ += read;
      begin_.push_back(static_cast<std::int32_t>(reads_.size()));
      const int places = std::max(0, static_cast<int>(read.size()) - shortest_match_ + 1);
      first_match_.push_back(first_match_.back() + places);
    }
  }

  void run(Gpu& device) override {
    const std::string text = genome_ + ::mummer::kTerminator;
    tree_ = mummer::make_suffix_tree(text);
    const auto nodes = device.upload(tree_.nodes, "suffix tree");
    const auto reference = device.upload(std::vector<char>(text.begin(), text.end()), "reference");
    const auto characters = device.upload(std::vector<char>(reads_.begin(), reads_.end()), "reads");
    const auto begin = device.upload(begin_, "begin");
    const auto first_match = device.upload(first_match_, "first_match");
    const auto count = static_cast<std::uint32_t>(begin_.size() - 1);
    // Queries with device addresses.
    struct DeviceQueries {
      Address characters, begin, first_match;
      std::int32_t count;
    };
    static_assert(sizeof(DeviceQueries) == sizeof(Queries));
    const DeviceQueries queries{.characters = characters.address,
                                .begin = begin.address,
                                .first_match = first_match.address,
                                .count = static_cast<std::int32_t>(count)};
    const auto matches =
        device.allocate<Match>(static_cast<std::size_t>(first_match_.back()), "matches");
    device.launch("match_queries", {.grid = {(count + kBlock - 1) / kBlock}, .block = {kBlock}},
                  nodes, reference, queries, shortest_match_, matches);
    matches_ = device.download(matches);
  }

  /// Checks the length of every match, the number of leaves below the reported node, and that one
  /// of these leaves has the match.
  CheckResult check() const override {
    const SuffixArray suffixes(genome_);
    std::vector<std::size_t> lengths, want_lengths, occurrences, want_occurrences;
    std::size_t misplaced = 0;
    for (std::size_t q = 0; q + 1 < begin_.size(); ++q) {
      const auto from = static_cast<std::size_t>(begin_[q]);
      const std::string_view read =
          std::string_view(reads_).substr(from, static_cast<std::size_t>(begin_[q + 1]) - from);
      const auto first = static_cast<std::size_t>(first_match_[q]);
      for (std::size_t i = 0; first + i < static_cast<std::size_t>(first_match_[q + 1]); ++i) {
        const Match& match = matches_[first + i];
        const std::string_view rest = read.substr(i);
        const std::string_view longest = rest.substr(0, suffixes.longest_match(rest));
        lengths.push_back(static_cast<std::size_t>(match.length));
        want_lengths.push_back(longest.size());
        want_occurrences.push_back(suffixes.occurrences(longest));
        const auto node = static_cast<std::size_t>(match.node);
        if (match.node < 0 || node >= tree_.nodes.size()) {
          occurrences.push_back(0);
          continue;
        }
        occurrences.push_back(static_cast<std::size_t>(tree_.suffixes[node]));
        const auto example = static_cast<std::size_t>(tree_.example[node]);
        if (std::string_view(genome_).substr(example, longest.size()) != longest) ++misplaced;
      }
    }
    CheckResult check;
    check.exact("lengths", lengths, want_lengths);
    check.exact("occurrences", occurrences, want_occurrences);
    check.exact("matches that are not where they should be", misplaced, std::size_t{0});
    return check;
  }

 private:
  int shortest_match_;
  std::string genome_, reads_;
  std::vector<std::int32_t> begin_, first_match_;
  mummer::SuffixTree tree_;
  std::vector<Match> matches_;
};

const Registration kRegistration({
    .name = "mummer",
    .summary = "Where reads of DNA match a reference: walks of its suffix tree",
    .papers = {"storage Table 4.3", "preexec Table 2"},
    .kernels = {{"match_queries", {kBlock}}},
    .make = make_program<Mummer>,
});

}  // namespace
}  // namespace heddle::workload::mummer_host
