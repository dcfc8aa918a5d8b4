#include "cuda/graphs/captures.h"

#include <gtest/gtest.h>

#include "cuda/runtime/error_of.h"

namespace heddle::cuda::graphs {
namespace {

// Streams and events are only compared with each other.
const auto kFirst = reinterpret_cast<abi::StreamHandle>(0x1000);
const auto kSecond = reinterpret_cast<abi::StreamHandle>(0x2000);
const auto kEvent = reinterpret_cast<abi::EventHandle>(0x3000);
const auto kOtherEvent = reinterpret_cast<abi::EventHandle>(0x4000);

class CapturesTest : public testing::Test {
 protected:
  void begin(abi::StreamHandle stream, abi::CaptureMode mode = abi::CaptureMode::global,
             bool is_blocking = true) {
    captures.begin(registry, {.stream = stream, .mode = mode, .is_blocking = is_blocking});
  }
  /// The nodes on which a node depends.
  static std::vector<const Node*> dependencies_of(const Node& node) {
    std::vector<const Node*> nodes;
    for (const Dependency& dependency : node.dependencies) nodes.push_back(dependency.on);
    return nodes;
  }

  Registry registry;
  Captures captures;
};

using Nodes = std::vector<const Node*>;

TEST_F(CapturesTest, NodesOfStreamFormChain) {
  begin(kFirst);
  const Node& a = captures.add(kFirst, EmptyWork{});
  const Node& b = captures.add(kFirst, EmptyWork{});
  EXPECT_EQ(dependencies_of(b), Nodes{&a});
  const Captures::Ended ended = captures.end(kFirst);
  EXPECT_EQ(ended.graph->nodes().size(), 2U);
  EXPECT_FALSE(captures.captures(kFirst));
}

TEST_F(CapturesTest, EventsForkAndJoinStreams) {
  begin(kFirst);
  const Node& a = captures.add(kFirst, EmptyWork{});
  EXPECT_TRUE(captures.record(kEvent, kFirst));
  const Node& b = captures.add(kFirst, EmptyWork{});
  captures.wait(kSecond, kEvent, true);
  const Node& c = captures.add(kSecond, EmptyWork{});
  EXPECT_EQ(dependencies_of(c), Nodes{&a});
  captures.record(kOtherEvent, kSecond);
  captures.wait(kFirst, kOtherEvent, true);
  const Node& d = captures.add(kFirst, EmptyWork{});
  EXPECT_EQ(dependencies_of(d), (Nodes{&b, &c}));
  captures.end(kFirst);
  EXPECT_FALSE(captures.captures(kSecond));
}

TEST_F(CapturesTest, StreamWithoutWorkOfItsOwnNeedNotBeJoined) {
  begin(kFirst);
  captures.add(kFirst, EmptyWork{});
  captures.record(kEvent, kFirst);
  captures.wait(kSecond, kEvent, true);
  captures.add(kFirst, EmptyWork{});
  EXPECT_EQ(captures.end(kFirst).graph->nodes().size(), 2U);
}

TEST_F(CapturesTest, WorkThatIsNotJoinedIsError) {
  begin(kFirst);
  captures.record(kEvent, kFirst);
  captures.wait(kSecond, kEvent, true);
  captures.add(kSecond, EmptyWork{});
  EXPECT_EQ(error_of([&] { captures.end(kFirst); }), Error::stream_capture_unjoined);
  EXPECT_FALSE(captures.captures(kFirst));  // The capture has ended nevertheless.
}

TEST_F(CapturesTest, LegacyStreamConflictsWithBlockingStreamsOnly) {
  begin(kFirst, abi::CaptureMode::relaxed, false);
  EXPECT_FALSE(captures.captures(nullptr));
  captures.record(kEvent, kFirst);
  captures.wait(kSecond, kEvent, true);  // This stream is blocking.
  EXPECT_EQ(error_of([&] { captures.query(nullptr); }), Error::stream_capture_implicit);
  EXPECT_TRUE(captures.captures(kFirst));  // A query invalidates nothing.
  EXPECT_EQ(error_of([&] { captures.captures(nullptr); }), Error::stream_capture_implicit);
  EXPECT_EQ(error_of([&] { captures.captures(kFirst); }), Error::stream_capture_invalidated);
}

TEST_F(CapturesTest, InvalidCaptureEndsWithError) {
  begin(kFirst);
  EXPECT_EQ(error_of([&] { captures.refuse(kFirst); }), Error::stream_capture_unsupported);
  EXPECT_EQ(error_of([&] { captures.refuse(kFirst); }), Error::stream_capture_invalidated);
  EXPECT_EQ(error_of([&] { captures.end(kFirst); }), Error::stream_capture_invalidated);
  EXPECT_EQ(error_of([&] { captures.end(kFirst); }), Error::illegal_state);
}

TEST_F(CapturesTest, EventOfEndedCaptureIsAsIfNotRecorded) {
  begin(kFirst);
  captures.record(kEvent, kFirst);
  EXPECT_TRUE(captures.is_captured(kEvent));
  captures.end(kFirst);
  EXPECT_FALSE(captures.is_captured(kEvent));
  captures.wait(kSecond, kEvent, true);
  EXPECT_FALSE(captures.captures(kSecond));
}

TEST_F(CapturesTest, RecordOutsideOfCaptureReplacesCapturedOne) {
  begin(kFirst);
  captures.record(kEvent, kFirst);
  EXPECT_FALSE(captures.record(kEvent, kSecond));
  EXPECT_EQ(error_of([&] { captures.wait(kFirst, kEvent, true); }),
            Error::stream_capture_isolation);
}

TEST_F(CapturesTest, RelaxedThreadMayMakeUnsafeCalls) {
  begin(kFirst);
  mode_of_thread() = abi::CaptureMode::relaxed;
  captures.check_unsafe();
  mode_of_thread() = abi::CaptureMode::thread_local_only;
  EXPECT_EQ(error_of([&] { captures.check_unsafe(); }), Error::stream_capture_unsupported);
  mode_of_thread() = abi::CaptureMode::global;
}

TEST_F(CapturesTest, DestroyedNodeIsNoDependencyOfLaterOnes) {
  begin(kFirst);
  const Node& a = captures.add(kFirst, EmptyWork{});
  Node& b = captures.add(kFirst, EmptyWork{});
  captures.record(kEvent, kFirst);
  captures.forget(b);
  b.graph->remove(b);
  const Node& c = captures.add(kFirst, EmptyWork{});
  EXPECT_TRUE(c.dependencies.empty());
  EXPECT_TRUE(a.dependents.empty());
}

TEST_F(CapturesTest, DestroyedGraphInvalidatesCaptureToIt) {
  auto graph = std::make_unique<Graph>(registry);
  captures.begin(registry, {.stream = kFirst, .graph = graph.get()});
  captures.add(kFirst, EmptyWork{});
  captures.forget(*graph);
  graph.reset();
  EXPECT_EQ(error_of([&] { captures.captures(kFirst); }), Error::stream_capture_invalidated);
  EXPECT_EQ(error_of([&] { captures.end(kFirst); }), Error::stream_capture_invalidated);
}

TEST_F(CapturesTest, DestroyedStreamLeavesOrEndsCapture) {
  begin(kFirst);
  captures.record(kEvent, kFirst);
  captures.wait(kSecond, kEvent, true);
  captures.forget(kSecond);
  EXPECT_EQ(error_of([&] { captures.end(kFirst); }), Error::stream_capture_invalidated);
  begin(kFirst);
  captures.record(kEvent, kFirst);
  captures.forget(kFirst);
  EXPECT_FALSE(captures.captures(kFirst));
  EXPECT_FALSE(captures.is_captured(kEvent));
}

}  // namespace
}  // namespace heddle::cuda::graphs
