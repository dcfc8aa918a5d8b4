#include "cuda/driver/contexts.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

namespace heddle::cuda::driver {
namespace {

/// All tests use the only Contexts object of the process, and leave no context current when they
/// end.
class ContextsTest : public testing::Test {
 protected:
  ~ContextsTest() override {
    while (contexts.current(session) != nullptr) contexts.set(session, nullptr);
  }

  /// Makes a stream, which Heddle destroys when it frees the device's memory.
  abi::StreamHandle make_stream() { return session.streams.add(std::make_unique<Stream>()); }
  bool exists(abi::StreamHandle stream) const {
    try {
      session.streams.get(stream);
      return true;
    } catch (const Failure&) {
      return false;
    }
  }

  Session& session = Session::instance();
  Contexts& contexts = Contexts::instance();
};

TEST_F(ContextsTest, BecomeCurrentWhenCreatedAndPopInReverseOrder) {
  EXPECT_EQ(contexts.current(session), nullptr);
  const abi::ContextHandle first = contexts.create(0);
  const abi::ContextHandle second = contexts.create(5);
  EXPECT_EQ(contexts.current(session), second);
  EXPECT_EQ(contexts.get(session, nullptr).flags, 5U);
  EXPECT_NE(contexts.get(session, first).id, contexts.get(session, second).id);
  EXPECT_EQ(contexts.pop(session), second);
  EXPECT_EQ(contexts.current(session), first);
  contexts.set(session, second);
  EXPECT_EQ(contexts.pop(session), second);
  EXPECT_THROW(contexts.pop(session), Failure);
  contexts.destroy(session, first);
  contexts.destroy(session, second);
}

TEST_F(ContextsTest, AreCurrentPerThread) {
  const abi::ContextHandle context = contexts.create(0);
  abi::ContextHandle current_of_other = context;
  std::thread([&] { current_of_other = contexts.current(session); }).join();
  EXPECT_EQ(current_of_other, nullptr);
  std::thread([&] {
    contexts.push(session, context);
    current_of_other = contexts.current(session);
  }).join();
  EXPECT_EQ(current_of_other, context);
  contexts.destroy(session, context);
}

TEST_F(ContextsTest, AreInvalidOnceDestroyedEvenIfCurrent) {
  const abi::ContextHandle context = contexts.create(0);
  contexts.push(session, context);
  contexts.destroy(session, context);
  EXPECT_EQ(contexts.current(session), nullptr);
  EXPECT_THROW(contexts.push(session, context), Failure);
  EXPECT_THROW(contexts.destroy(session, context), Failure);
}

TEST_F(ContextsTest, FreeMemoryWithLastContext) {
  const abi::ContextHandle first = contexts.create(0);
  const abi::ContextHandle second = contexts.create(0);
  const abi::StreamHandle stream = make_stream();
  contexts.destroy(session, second);
  EXPECT_TRUE(exists(stream));
  contexts.destroy(session, first);
  EXPECT_FALSE(exists(stream));
}

TEST_F(ContextsTest, KeepMemoryWhilePrimaryIsRetained) {
  contexts.retain_primary();
  const abi::ContextHandle primary = contexts.retain_primary();
  contexts.set(session, primary);
  const abi::StreamHandle stream = make_stream();
  contexts.release_primary(session);
  EXPECT_TRUE(exists(stream));
  EXPECT_EQ(contexts.current(session), primary);
  contexts.release_primary(session);
  EXPECT_FALSE(exists(stream));
  EXPECT_EQ(contexts.current(session), nullptr);
  EXPECT_THROW(contexts.release_primary(session), Failure);
}

TEST_F(ContextsTest, KeepPrimaryActiveWhileRuntimeUsesIt) {
  session.runtime_retains_primary = true;
  EXPECT_TRUE(contexts.primary_is_active(session));
  const abi::StreamHandle stream = make_stream();
  const abi::ContextHandle primary = contexts.retain_primary();
  EXPECT_EQ(contexts.current(session), primary);
  contexts.release_primary(session);
  EXPECT_TRUE(exists(stream));
  session.reset();
  EXPECT_FALSE(contexts.primary_is_active(session));
  EXPECT_EQ(contexts.current(session), nullptr);
}

TEST_F(ContextsTest, UnloadModulesWithLastContext) {
  const abi::ContextHandle context = contexts.create(0);
  const Module& module = session.modules.add(std::vector<device::PtxSource>{
      {.file = "test.ptx", .text = ".version 7.5\n.target sm_75\n"}});
  contexts.add_module(module);
  EXPECT_NE(session.modules.find(&module), nullptr);
  contexts.destroy(session, context);
  EXPECT_EQ(session.modules.find(&module), nullptr);
}

}  // namespace
}  // namespace heddle::cuda::driver
