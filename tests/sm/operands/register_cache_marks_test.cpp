// The register cache (Gebhart's dissertation on on-chip storage for throughput processors, chapter
// 5): values that the compiler has marked as dead, threads that end, and results that bypass the
// cache.

#include <gtest/gtest.h>

#include "sm/operands/issued_code.h"

namespace heddle::sm::test {
namespace {

IssuedCode cached(std::vector<Instruction> instructions, const char* last = "last_results=0") {
  return {{"policy=register-cache", "main=flat", "entries=2", "check_values=yes", last},
          std::move(instructions)};
}

TEST(RegisterCacheMarks, ApplyToThreadsDisabledByGuard) {
  // No thread on the path reads R0 after instruction 1, whether or not the guard lets it execute 1.
  for (const LaneMask active : {kNone, kLow}) {
    IssuedCode code = cached({set(0), compare(0, true)});
    code.issue(0).issue(1, kAll, active).suspend();
    code.expect({{"written_back", 0}, {"writes", 0}});
  }
}

TEST(RegisterCacheMarks, EndWhenRegisterIsWrittenAgain) {
  IssuedCode code = cached({set(0), compare(0, true), set(0), compare(0)});
  code.issue_all(0, 2).suspend().issue(3);
  code.expect({{"written_back", 1}, {"reads", 1}, {"wrong_values", 0}});
}

TEST(RegisterCacheMarks, AreIgnoredWithoutLiveness) {
  IssuedCode code{{"policy=register-cache", "main=flat", "entries=2", "liveness=no"},
                  {set(0), compare(0, true)}};
  code.issue_all(0, 1).suspend();
  code.expect({{"written_back", 1}});
}

TEST(RegisterCache, IsEmptyForNewThreads) {
  for (const char* const last : {"last_results=0", "last_results=1"}) {
    IssuedCode code = cached({set(0), compare(0)}, last);
    code.issue(0).end().issue(1);
    code.expect({{"reads", 1}, {"operand_file_reads_private", 0}, {"last_reads", 0}});
    code.expect({{"written_back", 0}, {"last_written_back", 0}, {"writes", 0}});
    code.expect({{"wrong_values", 0}});
  }
}

TEST(RegisterCache, IsBypassedByLongLatencyResults) {
  Instruction texture = instruction_of(Operation::texture, {Operand::reg(0)}, {});
  texture.type = ValueType::f32;
  Instruction atomic = load(0);
  atomic.operation = Operation::atomic;
  for (const Instruction& slow : {load(0), texture, atomic}) {
    IssuedCode code = cached({slow, compare(0)});
    code.issue_all(0, 1);
    code.expect(
        {{"writes", 1}, {"operand_file_writes_shared", 0}, {"reads", 1}, {"wrong_values", 0}});
  }
}

TEST(RegisterCache, HoldsResultsFromScratchpadAndConstants) {
  for (const code::Space space : {code::Space::shared, code::Space::constant}) {
    Instruction short_load = load(0);
    short_load.space = space;
    IssuedCode code = cached({short_load, compare(0)}, "last_results=1");
    code.issue_all(0, 1);
    code.expect(
        {{"operand_file_writes_shared", 1}, {"last_writes", 0}, {"operand_file_reads_private", 1}});
    code.expect({{"last_reads", 0}, {"reads", 0}, {"wrong_values", 0}});
  }
}

TEST(RegisterCache, ControlResultInvalidatesEntry) {
  // A system call writes its result to the main file.
  IssuedCode code =
      cached({set(0), instruction_of(Operation::system_call, {Operand::reg(0)}, {}), compare(0)});
  code.issue_all(0, 2);
  code.expect({{"operand_file_reads_private", 0}, {"reads", 1}, {"wrong_values", 0}});
}

}  // namespace
}  // namespace heddle::sm::test
