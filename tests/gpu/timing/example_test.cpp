// The example of docs/timing/example.md: its table agrees with the trace.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "gpu/chip_run.h"
#include "gpu/traced_run.h"
#include "source_file.h"

namespace heddle::gpu::test {
namespace {

const std::string kExample = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry example(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %clock;
  ld.global.u64 %rd3, [%rd1];
  add.u64 %rd4, %rd3, %rd1;
  ld.global.u64 %rd5, [%rd4];
  add.u64 %rd6, %rd5, %rd4;
  mov.u32 %r2, %clock;
  st.global.u32 [%rd2], %r1;
  st.global.u32 [%rd2+8], %r2;
  st.global.u64 [%rd2+16], %rd6;
  ret;
}
)";

/// A row of the documentation's table: its cycle, and all integers in it.
struct Row {
  std::uint64_t cycle = 0;
  std::set<std::uint64_t> numbers{};
  std::string text{};
};

std::set<std::uint64_t> numbers_in(const std::string& text) {
  std::set<std::uint64_t> numbers;
  std::string digits;
  for (const char c : text + " ") {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      digits += c;
    } else if (!digits.empty()) {
      numbers.insert(std::stoull(digits));
      digits.clear();
    }
  }
  return numbers;
}

std::string page_text() { return read_file(source_file("docs/timing/example.md")); }

std::vector<Row> documented_rows() {
  std::vector<Row> rows;
  std::istringstream lines(page_text());
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| ") || std::isdigit(static_cast<unsigned char>(line[2])) == 0) continue;
    rows.push_back(
        {.cycle = std::stoull(line.substr(2)), .numbers = numbers_in(line), .text = line});
  }
  return rows;
}

/// A number in a trace: an event's cycle or, if `detail` is set, one of its details.
struct TracedNumber {
  std::string event;
  std::string pc = "-";
  std::string detail = {};
};
/// A documented step: the first number is the cycle of its row, which must also contain the other
/// numbers.
using Step = std::vector<TracedNumber>;

const std::vector<Step> kMemory{
    {{"l1_miss", "pc3"}},
    {{"request_sent", "pc3"}},
    {{"request_arrived"}, {"l2_miss"}},
    {{"l2_fill"},
     {"dram_activate", "-", "dram_cycle"},
     {"dram_read", "-", "dram_cycle"},
     {"dram_read", "-", "done_in_dram_cycle"},
     {"dram_read", "-", "bytes"}},
    {{"response_sent"}, {"response_sent", "-", "bytes"}},
    {{"response_sent", "-", "arrives"}, {"response_received"}},
    {{"l1_fill"}},
    {{"lsu_load", "pc5"}, {"l1_hit", "pc5"}},
    {{"lsu_complete", "pc5"}},
};

const std::vector<Step> kPipeline{
    {{"launch"}},
    {{"start", "pc0"}},
    {{"issue", "pc0"}},
    {{"issue", "pc1"}},
    {{"issue", "pc2"}},
    {{"issue", "pc3"}},
    {{"issue", "pc4"}},
    {{"issue", "pc5"}},
    {{"issue", "pc6"}},
    {{"issue", "pc7"}},
    {{"end", "pc11"}, {"issue", "pc8"}, {"issue", "pc9"}, {"issue", "pc10"}, {"issue", "pc11"}},
};

class TimingExample : public testing::Test {
 protected:
  TimingExample() {
    const device::DevicePointer in = run_.zeros<std::uint64_t>(8);
    const device::DevicePointer out = run_.zeros<std::uint64_t>(8);
    run_.launch("example", {1}, {32}, in, out);
    events_ = trace_.events();
    stamps_ = run_.download<std::uint32_t>(out, 3);
  }

  /// The number in the first matching event; empty if the trace has no such event.
  std::optional<std::uint64_t> find_number(const TracedNumber& wanted) const {
    for (const TracedEvent& event : events_) {
      if (event.event != wanted.event || event.pc != wanted.pc) continue;
      return wanted.detail.empty() ? event.cycle : event.number(wanted.detail);
    }
    return std::nullopt;
  }
  /// Expects a row for each step. Returns the cycles of these rows.
  std::set<std::uint64_t> expect_rows(const std::vector<Step>& steps) const {
    std::set<std::uint64_t> cycles;
    const std::vector<Row> rows = documented_rows();
    for (const Step& step : steps) {
      const std::optional<std::uint64_t> cycle = find_number(step.front());
      EXPECT_TRUE(cycle) << "no " << step.front().event << " " << step.front().pc;
      if (!cycle) continue;
      const auto row =
          std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.cycle == *cycle; });
      EXPECT_NE(row, rows.end()) << step.front().event << " is in cycle " << *cycle;
      if (row == rows.end()) continue;
      cycles.insert(*cycle);
      for (const TracedNumber& other : step) {
        const std::optional<std::uint64_t> number = find_number(other);
        EXPECT_TRUE(number) << "no " << other.event << " " << other.pc;
        if (number) {
          EXPECT_TRUE(row->numbers.contains(*number))
              << row->text << "\nlacks " << *number << ", a number of " << other.event;
        }
      }
    }
    return cycles;
  }

  TraceText trace_;
  ChipRun run_{kExample, load_machine("warpman"), {.trace = trace_.trace()}};
  std::vector<TracedEvent> events_;
  std::vector<std::uint32_t> stamps_;
};

TEST_F(TimingExample, DocumentsCyclesOfMemoryEvents) { expect_rows(kMemory); }

TEST_F(TimingExample, MatchesTheTraceInEveryRow) {
  std::set<std::uint64_t> cycles = expect_rows(kMemory);
  cycles.merge(expect_rows(kPipeline));
  for (const Row& row : documented_rows()) EXPECT_TRUE(cycles.contains(row.cycle)) << row.text;
}

TEST_F(TimingExample, DocumentsTotalCyclesAndClockValues) {
  const std::vector<Row> rows = documented_rows();
  EXPECT_EQ(rows.back().cycle, run_.cycles());
  for (const std::uint32_t stamp : {stamps_[0], stamps_[2]}) {
    const std::string read = "reads " + std::to_string(stamp);
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
      return row.cycle == stamp && row.text.find(read) != std::string::npos;
    })) << read;
  }
}

TEST_F(TimingExample, DocumentsStallCycles) {
  std::string text = page_text();
  std::replace(text.begin(), text.end(), '\n', ' ');
  for (const std::string cause : {"selected", "no_instruction", "wait", "long_scoreboard"}) {
    const std::string share = std::to_string(run_.counter("warp." + cause)) + " `" + cause + "`";
    EXPECT_NE(text.find(share), std::string::npos) << share;
  }
}

}  // namespace
}  // namespace heddle::gpu::test
