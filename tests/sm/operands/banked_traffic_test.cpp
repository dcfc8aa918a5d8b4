// Banked operands under random traffic, compared with a model that computes all cycles afterwards:
// in each cycle, each port serves the oldest access that waits for it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "configure.h"
#include "sm/instructions/issue_table.h"
#include "sm/operands/operands.h"

namespace heddle::sm {
namespace {

struct RegisterFile {
  std::uint32_t banks = 4;
  std::string layout;
  std::string ports;
  std::uint32_t collectors = 8;
  std::uint32_t read_cycles = 1;

  std::unique_ptr<Operands> make() const {
    return make_operands(configure<OperandDescription>(
        {"policy=banked", fmt::format("banks={}", banks), "layout=" + layout, "ports=" + ports,
         fmt::format("collectors={}", collectors), fmt::format("read_cycles={}", read_cycles)}));
  }
};

struct Access {
  std::size_t instruction = 0;
  std::uint64_t earliest = 0;
};
/// The cycles of an instruction's issue, last read, completion and last write.
struct Outcome {
  std::uint64_t issued = 0;
  bool reads_registers = false;
  std::uint64_t read = 0;
  std::uint64_t done = 0;
  std::uint64_t written = 0;
};

class CycleModel {
 public:
  explicit CycleModel(const RegisterFile& file) : file_(file) {}

  void add_read(std::size_t instruction, WarpSlot warp, std::uint16_t number, std::uint64_t now) {
    waiting_[{bank(warp, number), 0}].push_back({instruction, now});
  }
  void add_write(std::size_t instruction, WarpSlot warp, std::uint16_t number, std::uint64_t done) {
    const int port = file_.ports == "1rw" ? 0 : 1;
    // The offset kWrites distinguishes the write from reads of the same instruction.
    waiting_[{bank(warp, number), port}].push_back({instruction + kWrites, done});
  }

  /// Computes the cycle in which the last read and the last write of each instruction are served.
  void run(std::map<std::size_t, std::uint64_t>& reads,
           std::map<std::size_t, std::uint64_t>& writes) {
    for (auto& [port, accesses] : waiting_) {
      for (std::uint64_t cycle = 0; !accesses.empty(); ++cycle) {
        const auto oldest = std::find_if(accesses.begin(), accesses.end(),
                                         [&](const Access& a) { return a.earliest <= cycle; });
        if (oldest == accesses.end()) continue;
        const bool is_write = oldest->instruction >= kWrites;
        const std::size_t instruction = oldest->instruction % kWrites;
        auto& last = (is_write ? writes : reads)[instruction];
        last = std::max(last, cycle);
        accesses.erase(oldest);
      }
    }
  }

 private:
  static constexpr std::size_t kWrites = 1'000'000;

  std::uint32_t bank(WarpSlot warp, std::uint16_t number) const {
    return (file_.layout == "register" ? number : number + warp) % file_.banks;
  }

  RegisterFile file_;
  std::map<std::pair<std::uint32_t, int>, std::vector<Access>> waiting_;
};

void expect_free_collector(const RegisterFile& file, const std::vector<Outcome>& outcomes,
                           const Operands& operands, std::size_t issued, std::uint64_t now) {
  std::uint64_t cycle = now;
  const auto busy_collectors = [&](std::uint64_t at) {
    return std::count_if(outcomes.begin(), outcomes.begin() + static_cast<std::ptrdiff_t>(issued),
                         [&](const Outcome& o) { return o.reads_registers && o.read > at; });
  };
  while (busy_collectors(cycle) == static_cast<std::ptrdiff_t>(file.collectors)) ++cycle;
  ASSERT_EQ(operands.free_from(Cycle(now)), Cycle(cycle)) << "instruction " << issued;
}

void expect_matches_model(const RegisterFile& file, std::uint64_t most_ahead, unsigned seed) {
  SCOPED_TRACE(testing::Message() << file.banks << " banks, " << file.layout << ", " << file.ports
                                  << ", " << file.collectors << " collectors, seed " << seed);
  const auto operands = file.make();
  CycleModel model(file);
  std::mt19937 random(seed);
  const auto some_registers = [&](unsigned most) {
    std::vector<std::uint16_t> registers(random() % (most + 1));
    for (std::uint16_t& number : registers) {
      const bool is_predicate = random() % 8 == 0;
      number = static_cast<std::uint16_t>((is_predicate ? kFirstPredicate : 0) + random() % 20);
    }
    return registers;
  };

  std::vector<Outcome> outcomes(500);
  std::uint64_t now = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    Outcome& outcome = outcomes[i];
    now += random() % 4 == 0 ? random() % 5 : 0;
    expect_free_collector(file, outcomes, *operands, i, now);
    now = operands->free_from(Cycle(now)).number;
    const auto warp = static_cast<WarpSlot>(random() % kMaxWarps);
    const std::vector<std::uint16_t> reads = some_registers(4);
    const std::vector<std::uint16_t> writes = some_registers(2);
    outcome.issued = now;
    outcome.read = operands->read(warp, reads, Cycle(now)).number;
    outcome.done = outcome.read + random() % most_ahead;
    outcome.written = operands->write(warp, writes, Cycle(outcome.done)).number;
    for (const std::uint16_t number : reads) {
      if (number >= kFirstPredicate) continue;
      model.add_read(i, warp, number, now);
      outcome.reads_registers = true;
    }
    for (const std::uint16_t number : writes) {
      if (number < kFirstPredicate) model.add_write(i, warp, number, outcome.done);
    }
  }

  std::map<std::size_t, std::uint64_t> reads;
  std::map<std::size_t, std::uint64_t> writes;
  model.run(reads, writes);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const auto read = reads.find(i);
    const auto written = writes.find(i);
    EXPECT_EQ(outcomes[i].read,
              read == reads.end() ? outcomes[i].issued : read->second + file.read_cycles)
        << "instruction " << i;
    EXPECT_EQ(outcomes[i].written, written == writes.end() ? outcomes[i].done : written->second)
        << "instruction " << i;
  }
}

TEST(BankedOperands, MatchCycleByCycleModelUnderRandomTraffic) {
  unsigned seed = 0;
  for (const std::uint32_t banks : {1u, 3u, 4u, 16u}) {
    for (const char* layout : {"register", "register-and-warp"}) {
      for (const char* ports : {"1r1w", "1rw"}) {
        for (const std::uint32_t collectors : {1u, 2u, 8u}) {
          const RegisterFile file{.banks = banks,
                                  .layout = layout,
                                  .ports = ports,
                                  .collectors = collectors,
                                  .read_cycles = 1 + seed % 3};
          expect_matches_model(file, 20, ++seed);
          expect_matches_model(file, 400, ++seed);
        }
      }
    }
  }
}

}  // namespace
}  // namespace heddle::sm
