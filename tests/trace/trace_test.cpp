// Trace: which events it selects, their order, and the format of their lines.

#include "trace/trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trace/line.h"

namespace heddle::trace {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const Kind kSeen{"seen", "of the tests", {{"number"}, {"address", kHex}}};

/// Traces a chip of 4 multiprocessors and 2 partitions, and collects the written lines without the
/// header.
class TraceOfTest {
 public:
  explicit TraceOfTest(const Selection& selection = {})
      : trace_(selection, [this](std::string_view text) { text_ += text; }) {
    trace_.attach(4, 2);
    text_.clear();
  }

  Trace& trace() { return trace_; }
  /// Records an event with one field, `number`, in cycle `at`. Does nothing if `log` is null.
  static void note(Log* log, std::uint64_t at, std::uint64_t number, const Origin& origin = {}) {
    if (log == nullptr) return;
    log->note({.at = Cycle(at), .kind = &kSeen, .origin = origin, .values = {number, kNothing}});
  }
  /// The lines since the last call, with runs of spaces reduced to one.
  std::vector<std::string> lines() {
    std::vector<std::string> found;
    std::string line;
    for (const char c : text_) {
      if (c == '\n') {
        found.push_back(line);
        line.clear();
      } else if (c != ' ' || (!line.empty() && line.back() != ' ')) {
        line += c;
      }
    }
    text_.clear();
    return found;
  }

 private:
  std::string text_;
  Trace trace_;
};

TEST(Trace, SortsEventsByCycleThenPartThenOrderOfRecording) {
  TraceOfTest test;
  Trace& trace = test.trace();
  TraceOfTest::note(trace.partition(0), 5, 1);
  TraceOfTest::note(trace.sm(1), 5, 2);
  TraceOfTest::note(trace.sm(1), 5, 3);
  TraceOfTest::note(trace.sm(1), 4, 4);
  TraceOfTest::note(trace.sm(0), 5, 5);
  TraceOfTest::note(trace.partition(1), 3, 6);
  TraceOfTest::note(&trace.chip(), 5, 7);
  trace.write_before(Cycle(10));
  EXPECT_THAT(test.lines(), ElementsAre("3 part1 - - seen - number=6", "4 sm1 - - seen - number=4",
                                        "5 chip - - seen - number=7", "5 sm0 - - seen - number=5",
                                        "5 sm1 - - seen - number=2", "5 sm1 - - seen - number=3",
                                        "5 part0 - - seen - number=1"));
}

TEST(Trace, WritesOnlyEventsBeforeTheHorizon) {
  TraceOfTest test;
  Trace& trace = test.trace();
  TraceOfTest::note(trace.sm(0), 12, 1);
  TraceOfTest::note(trace.sm(0), 10, 2);
  TraceOfTest::note(trace.sm(0), 3, 3);
  trace.write_before(Cycle(10));
  EXPECT_THAT(test.lines(), ElementsAre("3 sm0 - - seen - number=3"));
  TraceOfTest::note(trace.sm(0), 11, 4);
  TraceOfTest::note(trace.sm(0), 12, 5);
  trace.write_before(Cycle(20));
  EXPECT_THAT(test.lines(),
              ElementsAre("10 sm0 - - seen - number=2", "11 sm0 - - seen - number=4",
                          "12 sm0 - - seen - number=1", "12 sm0 - - seen - number=5"));
  trace.write_all();
  EXPECT_THAT(test.lines(), IsEmpty());
}

TEST(Trace, SelectsMultiprocessorsAndTheirRequestsInPartitions) {
  TraceOfTest test({.sms = {0, 2}});
  Trace& trace = test.trace();
  EXPECT_EQ(trace.sm(1), nullptr);
  EXPECT_EQ(trace.sm(3), nullptr);
  TraceOfTest::note(trace.sm(2), 1, 1);
  TraceOfTest::note(trace.partition(0), 2, 2, {.sm = 1});
  TraceOfTest::note(trace.partition(0), 3, 3, {.sm = 2});
  TraceOfTest::note(trace.partition(0), 4, 4);
  trace.write_all();
  EXPECT_THAT(test.lines(),
              ElementsAre("1 sm2 - - seen - number=1", "3 part0 sm2 - seen - number=3",
                          "4 part0 - - seen - number=4"));
}

TEST(Trace, SelectsHalfOpenRangeOfCycles) {
  TraceOfTest test({.from = Cycle(5), .until = Cycle(8)});
  for (std::uint64_t at = 0; at < 10; ++at) TraceOfTest::note(test.trace().sm(0), at, at);
  test.trace().write_all();
  EXPECT_THAT(test.lines(), ElementsAre("5 sm0 - - seen - number=5", "6 sm0 - - seen - number=6",
                                        "7 sm0 - - seen - number=7"));
}

TEST(Trace, EndsWithTheCycleInWhichTheChipStops) {
  TraceOfTest test;
  Trace& trace = test.trace();
  TraceOfTest::note(trace.sm(0), 7, 1);
  TraceOfTest::note(trace.sm(1), 8, 2);
  trace.stop(Cycle(7));
  trace.write_all();
  EXPECT_THAT(test.lines(), ElementsAre("7 sm0 - - seen - number=1", "# stopped in cycle 7"));
}

TEST(Trace, BeginsWithVersionAndColumnNames) {
  std::string text;
  const Trace trace({}, [&](std::string_view written) { text += written; });
  EXPECT_EQ(text, header());
  EXPECT_EQ(text.find("# heddle-trace-2"), 0U);
  EXPECT_NE(text.find("\n#    cycle where   for        pc event            cause"),
            std::string::npos)
      << text;
}

TEST(TraceLine, AlignsColumnsAndAppendsFields) {
  std::string text;
  append_line(text, {.part = Place::Part::sm, .number = 3},
              {.at = Cycle(325),
               .kind = &kSeen,
               .origin = {.warp = 12, .pc = 7},
               .cause = "long_scoreboard",
               .values = {40, 0xbeef}});
  append_line(text, {.part = Place::Part::partition, .number = 11},
              {.at = Cycle(1234567), .kind = &kSeen, .origin = {.sm = 3}, .values = {kNothing, 1}});
  EXPECT_EQ(text,
            "       325 sm3     w12       pc7 seen             long_scoreboard    number=40 "
            "address=0xbeef\n"
            "   1234567 part11  sm3         - seen             -                  address=0x1\n");
}

TEST(TraceKinds, AreListedInOrderOfNames) {
  static const Kind later{"sees", "of the tests"};
  const std::vector<const Kind*> kinds = Kind::all();
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_EQ(kinds[0], &kSeen);
  EXPECT_EQ(kinds[1], &later);
  EXPECT_EQ(kinds[0]->field_count(), 2U);
}

}  // namespace
}  // namespace heddle::trace
