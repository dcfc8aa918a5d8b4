#include "sm/instructions/issue_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "code/compile.h"
#include "code/listing.h"
#include "ptx/parser.h"

namespace heddle::sm {
namespace {

using code::Instruction;
using code::Operand;
using code::Operation;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Operation kOperations[] = {
#define HEDDLE_OPERATION(name, ...) Operation::name,
#include "code/operation.def"
};

Instruction make(Operation operation, ValueType type = ValueType::u32) {
  Instruction instruction;
  instruction.operation = operation;
  instruction.type = type;
  return instruction;
}

Instruction make_memory(Operation operation, code::Space space, ValueType type = ValueType::u32,
                        std::uint8_t vector_count = 1) {
  Instruction instruction = make(operation, type);
  instruction.space = space;
  instruction.vector_count = vector_count;
  return instruction;
}

IssueTable table_of(std::vector<Instruction> instructions) {
  code::Program program;
  program.instructions = std::move(instructions);
  return IssueTable(program);
}

IssueInfo info_of(const Instruction& instruction) { return table_of({instruction})[0]; }

std::vector<std::uint16_t> reads_of(const Instruction& instruction) {
  const IssueTable table = table_of({instruction});
  const auto reads = table.reads(table[0]);
  return {reads.begin(), reads.end()};
}

std::vector<std::uint16_t> writes_of(const Instruction& instruction) {
  const IssueTable table = table_of({instruction});
  const auto writes = table.writes(table[0]);
  return {writes.begin(), writes.end()};
}

TEST(IssueTable, ListsTwoRegistersFor64BitOperand) {
  Instruction wide = make(Operation::mad_wide);
  wide.destinations = {Operand::reg(8, 2)};
  wide.sources = {Operand::reg(3), Operand::immediate(4), Operand::reg(6, 2)};
  EXPECT_THAT(reads_of(wide), ElementsAre(3, 6, 7));
  EXPECT_THAT(writes_of(wide), ElementsAre(8, 9));
}

TEST(IssueTable, ListsPredicatesAndGuardAsReads) {
  Instruction select = make(Operation::select);
  select.guard = {.predicate = 2, .negated = true};
  select.destinations = {Operand::reg(1)};
  select.sources = {Operand::reg(4), Operand::reg(5), Operand::predicate(6)};
  EXPECT_THAT(reads_of(select), ElementsAre(4, 5, 256 + 6, 256 + 2));
  EXPECT_THAT(writes_of(select), ElementsAre(1));
}

TEST(IssueTable, ListsPredicatesThatComparisonWrites) {
  Instruction compare = make(Operation::setp);
  compare.destinations = {Operand::predicate(0), Operand::predicate(3)};
  compare.sources = {Operand::reg(4), Operand::constant(0x160)};
  EXPECT_THAT(reads_of(compare), ElementsAre(4));
  EXPECT_THAT(writes_of(compare), ElementsAre(256, 259));
}

TEST(IssueTable, ListsRepeatedSourceOnce) {
  Instruction fma = make(Operation::fma, ValueType::f64);
  fma.destinations = {Operand::reg(2, 2)};
  fma.sources = {Operand::reg(2, 2), Operand::reg(2, 2), Operand::reg(4, 2)};
  EXPECT_THAT(reads_of(fma), ElementsAre(2, 3, 4, 5));
}

TEST(IssueTable, ListsAddressAndDataOfStore) {
  Instruction store = make_memory(Operation::store, code::Space::global, ValueType::b32, 2);
  store.sources = {Operand::reg(10, 2), Operand::reg(1), Operand::reg(2)};
  EXPECT_THAT(reads_of(store), ElementsAre(10, 11, 1, 2));
  EXPECT_THAT(writes_of(store), IsEmpty());
}

TEST(IssueTable, OmitsUnusedDestinations) {
  Instruction load = make_memory(Operation::load, code::Space::global, ValueType::b32, 2);
  load.destinations = {Operand::none(), Operand::reg(255)};
  load.sources = {Operand::reg(10, 2)};
  EXPECT_THAT(writes_of(load), ElementsAre(255));
}

TEST(IssueTable, ListsReadsBeforeWritesInAll) {
  Instruction add = make(Operation::add);
  add.destinations = {Operand::reg(1)};
  add.sources = {Operand::reg(1), Operand::reg(2)};
  const IssueTable table = table_of({make(Operation::exit), add});
  const auto all = table.reads_and_writes(table[1]);
  EXPECT_THAT(std::vector(all.begin(), all.end()), ElementsAre(1, 2, 1));
}

UnitKind unit(Operation operation, ValueType type) { return info_of(make(operation, type)).unit; }

TEST(IssueTable, SendsArithmeticToUnitOfItsType) {
  EXPECT_EQ(unit(Operation::add, ValueType::s32), UnitKind::integer);
  EXPECT_EQ(unit(Operation::add, ValueType::f32), UnitKind::fp32);
  EXPECT_EQ(unit(Operation::add, ValueType::f16x2), UnitKind::fp32);
  EXPECT_EQ(unit(Operation::fma, ValueType::bf16), UnitKind::fp32);
  EXPECT_EQ(unit(Operation::fma, ValueType::f64), UnitKind::fp64);
  EXPECT_EQ(unit(Operation::setp, ValueType::f64), UnitKind::fp64);
  EXPECT_EQ(unit(Operation::setp, ValueType::u32), UnitKind::integer);
}

TEST(IssueTable, SendsMovesToIntegerUnit) {
  EXPECT_EQ(unit(Operation::move, ValueType::f32), UnitKind::integer);
  EXPECT_EQ(unit(Operation::select, ValueType::f64), UnitKind::integer);
  EXPECT_EQ(unit(Operation::shfl, ValueType::f32), UnitKind::integer);
}

TEST(IssueTable, SendsSetToUnitOfComparedType) {
  Instruction set = make(Operation::set, ValueType::u32);
  set.source_type = ValueType::f32;
  EXPECT_EQ(info_of(set).unit, UnitKind::fp32);
  set.type = ValueType::f32;
  set.source_type = ValueType::s32;
  EXPECT_EQ(info_of(set).unit, UnitKind::integer);
}

TEST(IssueTable, SendsConversionsToUnitOfFloatingPointType) {
  const auto unit_of_conversion = [](ValueType to, ValueType from) {
    Instruction convert = make(Operation::convert, to);
    convert.source_type = from;
    return info_of(convert).unit;
  };
  EXPECT_EQ(unit_of_conversion(ValueType::s32, ValueType::u8), UnitKind::integer);
  EXPECT_EQ(unit_of_conversion(ValueType::f32, ValueType::s32), UnitKind::fp32);
  EXPECT_EQ(unit_of_conversion(ValueType::u64, ValueType::f32), UnitKind::fp32);
  EXPECT_EQ(unit_of_conversion(ValueType::f16, ValueType::f32), UnitKind::fp32);
  EXPECT_EQ(unit_of_conversion(ValueType::f32, ValueType::f64), UnitKind::fp64);
  EXPECT_EQ(unit_of_conversion(ValueType::f64, ValueType::s32), UnitKind::fp64);
}

TEST(IssueTable, SendsApproximateFunctionsToSpecialUnitAndExpandsExactOnes) {
  EXPECT_EQ(unit(Operation::sin, ValueType::f32), UnitKind::special);
  EXPECT_EQ(unit(Operation::ex2, ValueType::f16), UnitKind::special);
  for (const Operation operation :
       {Operation::div, Operation::rcp, Operation::sqrt, Operation::rsqrt}) {
    Instruction function = make(operation, ValueType::f32);
    EXPECT_EQ(info_of(function).unit, UnitKind::fp32) << name_of(operation);
    EXPECT_GT(info_of(function).expansion, 4) << name_of(operation);
    function.approximate = true;
    EXPECT_EQ(info_of(function).unit, UnitKind::special) << name_of(operation);
    EXPECT_EQ(info_of(function).expansion, 1) << name_of(operation);
  }
  Instruction exact = make(Operation::rcp, ValueType::f64);
  EXPECT_EQ(info_of(exact).unit, UnitKind::fp64);
  EXPECT_EQ(info_of(exact).expansion, 8);
  exact.approximate = exact.flush_subnormals = true;
  EXPECT_EQ(info_of(exact).unit, UnitKind::special);
}

std::uint32_t expansion(Operation operation, ValueType type) {
  return info_of(make(operation, type)).expansion;
}

TEST(IssueTable, ExpandsInstructionsThatHardwareLacks) {
  EXPECT_EQ(expansion(Operation::add, ValueType::u32), 1u);
  EXPECT_EQ(expansion(Operation::add, ValueType::u64), 2u);
  EXPECT_EQ(expansion(Operation::setp, ValueType::s64), 2u);
  EXPECT_EQ(expansion(Operation::mul_lo, ValueType::s32), 1u);
  EXPECT_EQ(expansion(Operation::mul_lo, ValueType::s64), 4u);
  EXPECT_EQ(expansion(Operation::mul_wide, ValueType::s32), 1u);
  EXPECT_EQ(expansion(Operation::div, ValueType::u32), 20u);
  EXPECT_EQ(expansion(Operation::rem, ValueType::s64), 80u);
  EXPECT_EQ(expansion(Operation::div, ValueType::f32), 8u);
  EXPECT_EQ(expansion(Operation::add, ValueType::f64), 1u);
  EXPECT_EQ(expansion(Operation::move, ValueType::f64), 2u) << "a move of two registers";
  EXPECT_EQ(expansion(Operation::move, ValueType::b32), 1u);
}

TEST(IssueTable, RoutesMemoryInstructionsBySpace) {
  const auto route = [](code::Space space) {
    return info_of(make_memory(Operation::load, space)).route;
  };
  code::Program program;
  program.instructions = {make_memory(Operation::load, code::Space::local)};
  EXPECT_EQ(IssueTable(program)[0].resource, Resource::global);
  EXPECT_EQ(IssueTable(program, {.has_private_memory = true})[0].resource, Resource::shared);
  EXPECT_EQ(route(code::Space::generic), MemoryRoute::generic);
  EXPECT_EQ(route(code::Space::global), MemoryRoute::global);
  EXPECT_EQ(route(code::Space::shared), MemoryRoute::shared);
  EXPECT_EQ(route(code::Space::local), MemoryRoute::local);
  EXPECT_EQ(route(code::Space::constant), MemoryRoute::constant);
  EXPECT_EQ(route(code::Space::parameter), MemoryRoute::constant);
  EXPECT_EQ(info_of(make(Operation::load_local_slot)).route, MemoryRoute::local);
  EXPECT_EQ(info_of(make(Operation::store_local_slot)).route, MemoryRoute::local);
  EXPECT_EQ(info_of(make(Operation::add)).route, MemoryRoute::none);
  EXPECT_EQ(info_of(make(Operation::fence)).route, MemoryRoute::none);
}

TEST(IssueTable, KeepsKindOfAtomicOnSharedMemory) {
  const IssueInfo atomic = info_of(make_memory(Operation::atomic, code::Space::shared));
  EXPECT_EQ(atomic.kind, InstructionKind::atomic);
  EXPECT_EQ(atomic.route, MemoryRoute::shared);
  EXPECT_EQ(atomic.unit, UnitKind::memory);
}

TEST(IssueTable, BypassesL1ForLoadsThatMustSeeOtherStores) {
  Instruction load = make_memory(Operation::load, code::Space::global);
  EXPECT_FALSE(info_of(load).bypasses_l1);
  load.cache = code::CacheOperator::non_coherent;
  EXPECT_FALSE(info_of(load).bypasses_l1);
  load.cache = code::CacheOperator::global;
  EXPECT_TRUE(info_of(load).bypasses_l1);
  load.cache = code::CacheOperator::all;
  load.order = code::MemoryOrder::volatile_;
  EXPECT_TRUE(info_of(load).bypasses_l1);
  load.order = code::MemoryOrder::acquire;
  load.scope = code::Scope::device;
  EXPECT_TRUE(info_of(load).bypasses_l1);
  load.scope = code::Scope::block;
  EXPECT_FALSE(info_of(load).bypasses_l1) << "the block shares the L1";
}

TEST(IssueTable, HasBytesPerLane) {
  const auto bytes = [](ValueType type, std::uint8_t count) {
    return info_of(make_memory(Operation::load, code::Space::global, type, count)).bytes_per_lane;
  };
  EXPECT_EQ(bytes(ValueType::u8, 1), 1);
  EXPECT_EQ(bytes(ValueType::u8, 4), 4);
  EXPECT_EQ(bytes(ValueType::f16x2, 1), 4);
  EXPECT_EQ(bytes(ValueType::f64, 1), 8);
  EXPECT_EQ(bytes(ValueType::f32, 4), 16);
  EXPECT_EQ(bytes(ValueType::b128, 1), 16);
  EXPECT_EQ(bytes(ValueType::f32, 8), 16) << "the most that a lane accesses at a time";
  EXPECT_EQ(info_of(make(Operation::load_local_slot, ValueType::b64)).bytes_per_lane, 8);
  EXPECT_EQ(info_of(make(Operation::texture_query)).bytes_per_lane, 0);
  EXPECT_EQ(info_of(make(Operation::add)).bytes_per_lane, 0);
}

TEST(IssueTable, CountsBytesOfUsedTextureChannels) {
  Instruction texture = make(Operation::texture, ValueType::f32);
  texture.vector_count = 4;
  texture.destinations = {Operand::reg(0), Operand::none(), Operand::none(), Operand::none()};
  EXPECT_EQ(info_of(texture).bytes_per_lane, 4);
  texture.destinations = {Operand::reg(0), Operand::reg(1), Operand::reg(2), Operand::none()};
  EXPECT_EQ(info_of(texture).bytes_per_lane, 16) << "rounded up to a power of two";
}

TEST(IssueTable, JumpsAlwaysOnlyIfUnguardedWithKnownTarget) {
  const auto jumps = [](Operation operation, bool guarded) {
    Instruction instruction = make(operation, ValueType::none);
    if (guarded) instruction.guard.predicate = 0;
    return info_of(instruction).jumps_always;
  };
  EXPECT_TRUE(jumps(Operation::branch, false));
  EXPECT_TRUE(jumps(Operation::call, false));
  EXPECT_FALSE(jumps(Operation::branch, true));
  EXPECT_FALSE(jumps(Operation::ret, false));
  EXPECT_FALSE(jumps(Operation::branch_indexed, false));
  EXPECT_FALSE(jumps(Operation::exit, false));
  EXPECT_FALSE(jumps(Operation::add, false));
}

TEST(IssueTable, HasLongLatencyForGlobalLocalAndTextureAccesses) {
  for (const code::Space space : {code::Space::global, code::Space::local, code::Space::generic}) {
    EXPECT_TRUE(info_of(make_memory(Operation::load, space)).is_long_latency);
    EXPECT_FALSE(info_of(make_memory(Operation::store, space)).is_long_latency)
        << "a store has no result";
  }
  EXPECT_TRUE(info_of(make_memory(Operation::atomic, code::Space::global)).is_long_latency);
  EXPECT_TRUE(info_of(make(Operation::texture)).is_long_latency);
  for (const code::Space space : {code::Space::shared, code::Space::constant}) {
    EXPECT_FALSE(info_of(make_memory(Operation::load, space)).is_long_latency);
  }
  EXPECT_FALSE(info_of(make(Operation::sin, ValueType::f32)).is_long_latency);
}

// The compiler does not use the table: it calls is_long_latency() and is_in_shared_unit().
TEST(IssueTable, CompilerAndPipelineAgreeOnUnitsAndLatencies) {
  for (const Operation operation : kOperations) {
    SCOPED_TRACE(name_of(operation));
    const Instruction instruction = make(operation);
    const IssueInfo info = info_of(instruction);
    EXPECT_EQ(is_long_latency(instruction), info.is_long_latency);
    EXPECT_EQ(is_in_shared_unit(instruction), is_shared(info.unit));
  }
}

TEST(IssueTable, JumpsBackIfTargetIsNotAfterBranch) {
  const auto branch_to = [](std::uint32_t target) {
    Instruction branch = make(Operation::branch, ValueType::none);
    branch.target = target;
    return table_of({make(Operation::add), branch, make(Operation::exit)})[1].jumps_back;
  };
  EXPECT_TRUE(branch_to(0));
  EXPECT_TRUE(branch_to(1));
  EXPECT_FALSE(branch_to(2));
}

TEST(IssueTable, MarksLastReadOfEachSourceWord) {
  Instruction add = make(Operation::add);
  add.destinations = {Operand::reg(1)};
  Operand wide = Operand::reg(2, 2);
  wide.last_use = true;
  add.sources = {wide, Operand::reg(5)};
  add.guard.predicate = 0;
  const IssueTable table = table_of({make(Operation::exit), add});
  std::vector<bool> last;
  for (const RegisterUse& use : table.read_uses(table[1])) last.push_back(use.is_last_read);
  EXPECT_THAT(last, ElementsAre(true, true, false, false));
  ASSERT_EQ(table.write_uses(table[1]).size(), 1u);
  EXPECT_TRUE(table.write_uses(table[1])[0].writes_main) << "the default without a placement";
}

TEST(IssueTable, IsRepeatableIfResultDependsOnlyOnOwnSources) {
  const auto repeatable = [](Operation operation) {
    return info_of(make(operation)).is_repeatable;
  };
  EXPECT_TRUE(repeatable(Operation::add));
  EXPECT_TRUE(repeatable(Operation::setp));
  EXPECT_TRUE(repeatable(Operation::select));
  for (const Operation across : {Operation::shfl, Operation::vote, Operation::match,
                                 Operation::activemask, Operation::redux, Operation::elect}) {
    EXPECT_FALSE(repeatable(across)) << "its result depends on other lanes";
  }
  EXPECT_FALSE(repeatable(Operation::read_special)) << "its value differs from lane to lane";
  EXPECT_FALSE(repeatable(Operation::load)) << "memory can change";
  EXPECT_FALSE(repeatable(Operation::atomic));
  EXPECT_FALSE(repeatable(Operation::branch));
}

TEST(IssueTable, HasKindsOfControlInstructions) {
  const auto kind = [](Operation operation) { return info_of(make(operation)).kind; };
  EXPECT_EQ(kind(Operation::ret), InstructionKind::branch);
  EXPECT_EQ(kind(Operation::trap), InstructionKind::branch);
  EXPECT_EQ(kind(Operation::warp_sync), InstructionKind::other);
  EXPECT_EQ(kind(Operation::barrier), InstructionKind::barrier);
  EXPECT_EQ(kind(Operation::fence), InstructionKind::fence);
  EXPECT_EQ(kind(Operation::nanosleep), InstructionKind::other);
  EXPECT_EQ(kind(Operation::prefetch), InstructionKind::other);
  EXPECT_EQ(kind(Operation::system_call), InstructionKind::chip_wide);
  EXPECT_EQ(kind(Operation::alloca), InstructionKind::arithmetic);
}

// An instruction's unit executes it, and its kind says how the pipeline handles it. The two must
// agree.
TEST(IssueTable, HasUnitThatSuitsKindOfEveryOperation) {
  using enum InstructionKind;
  for (const Operation operation : kOperations) {
    SCOPED_TRACE(name_of(operation));
    const IssueInfo info = info_of(make(operation));
    EXPECT_GE(info.expansion, 1);
    switch (info.unit) {
      case UnitKind::memory:
        EXPECT_NE(info.route, MemoryRoute::none);
        EXPECT_TRUE(info.kind == load || info.kind == store || info.kind == atomic ||
                    info.kind == chip_wide);
        break;
      case UnitKind::texture:
        EXPECT_TRUE(info.kind == texture || info.kind == chip_wide);
        break;
      case UnitKind::control:
        EXPECT_TRUE(info.kind == branch || info.kind == barrier || info.kind == fence ||
                    info.kind == chip_wide || info.kind == other);
        break;
      default:
        EXPECT_EQ(info.kind, arithmetic);
    }
    // Control instructions go to the control unit, except those that compute a stack pointer.
    const bool is_value = operation == Operation::alloca || operation == Operation::stack_save ||
                          operation == Operation::stack_restore;
    if (code::is_control(operation)) {
      EXPECT_EQ(info.unit, is_value ? UnitKind::integer : UnitKind::control);
    }
  }
}

/// The registers that a line of a listing names: "R4", "R6:7" and "P2" (as 258).
std::set<std::uint16_t> named_in(const std::string& line) {
  std::set<std::uint16_t> named;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const bool begins = i == 0 || std::isalnum(static_cast<unsigned char>(line[i - 1])) == 0;
    const bool is_name = (line[i] == 'R' || line[i] == 'P') &&
                         std::isdigit(static_cast<unsigned char>(line[i + 1])) != 0;
    if (!begins || !is_name) continue;
    std::size_t length = 0;
    const int first = std::stoi(line.substr(i + 1), &length);
    const std::size_t behind = i + 1 + length;
    const bool is_range = behind < line.size() && line[behind] == ':';
    const int last = is_range ? std::stoi(line.substr(behind + 1)) : first;
    const int base = line[i] == 'P' ? 256 : 0;
    for (int n = first; n <= last; ++n) named.insert(static_cast<std::uint16_t>(base + n));
  }
  return named;
}

// A listing names each register and predicate. Other code than the issue table's writes it.
TEST(IssueTable, ListsRegistersOfCompiledKernelAsItsListing) {
  const std::string text = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry mixed(.param .u64 data, .param .u32 count)
{
  .reg .pred %p<4>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<8>;
  .reg .f32 %f<4>;
  .reg .f64 %d<4>;
  .shared .align 4 .b8 tile[512];
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r1, [count];
  mov.u32 %r2, %tid.x;
  setp.ge.s32 %p1, %r2, %r1;
  @%p1 bra $done;
  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.s32 %rd3, %r2, 16;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.v2.f64 {%d1, %d2}, [%rd4];
  fma.rn.f64 %d3, %d1, %d2, %d1;
  st.global.f64 [%rd4+8], %d3;
  shl.b32 %r3, %r2, 2;
  mov.u32 %r4, tile;
  add.u32 %r4, %r4, %r3;
  st.shared.u32 [%r4], %r2;
  bar.sync 0;
  xor.b32 %r5, %r3, 4;
  mov.u32 %r6, tile;
  add.u32 %r5, %r5, %r6;
  ld.shared.u32 %r7, [%r5];
$again:
  atom.global.add.u32 %r8, [%rd2], %r7;
  setp.lt.u32 %p2, %r8, 100;
  selp.b32 %r9, %r8, %r7, %p2;
  @!%p2 st.global.u32 [%rd4], %r9;
  shfl.sync.bfly.b32 %r10|%p3, %r9, 1, 31, 0xffffffff;
  add.u32 %r7, %r7, %r10;
  @%p2 bra $again;
  cvt.rn.f32.u32 %f1, %r7;
  sqrt.rn.f32 %f2, %f1;
  st.global.f32 [%rd4+4], %f2;
$done:
  ret;
}
)";
  ptx::ParseResult parsed = ptx::parse(text, "test.ptx");
  ASSERT_TRUE(parsed.ok());
  std::vector<ptx::Module> modules;
  modules.push_back(std::move(parsed.module));
  const code::Program program = code::compile(modules);
  const IssueTable table(program);
  ASSERT_EQ(table.size(), program.instructions.size());
  ASSERT_GT(table.size(), 20u);
  for (std::uint32_t pc = 0; pc < table.size(); ++pc) {
    const std::string line = text_of(program, program.instructions[pc]);
    const std::set<std::uint16_t> named = named_in(line);
    const auto all = table.reads_and_writes(table[pc]);
    EXPECT_EQ(std::set<std::uint16_t>(all.begin(), all.end()), named) << line;
  }
  const auto count = [&](InstructionKind kind) {
    std::size_t found = 0;
    for (std::uint32_t pc = 0; pc < table.size(); ++pc) found += table[pc].kind == kind ? 1U : 0U;
    return found;
  };
  EXPECT_EQ(count(InstructionKind::atomic), 1u);
  EXPECT_EQ(count(InstructionKind::barrier), 1u);
  EXPECT_EQ(count(InstructionKind::load), 2u);
  EXPECT_EQ(count(InstructionKind::store), 4u);
}

}  // namespace
}  // namespace heddle::sm
