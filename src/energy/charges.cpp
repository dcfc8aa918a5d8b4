#include "energy/charges.h"

#include <algorithm>

namespace heddle::energy {
namespace {

// What one count is charged as.
constexpr Charge kFetch[] = {{Event::instruction_access}};
constexpr Charge kFetchFill[] = {{Event::instruction_fill}};
constexpr Charge kDecode[] = {{Event::instruction_decoded}};
constexpr Charge kIssue[] = {{Event::instruction_issued}};
constexpr Charge kIssueInVain[] = {{Event::instruction_decoded}, {Event::instruction_issued}};
constexpr Charge kBranch[] = {{Event::branch_evaluated}};
constexpr Charge kRegisterRead[] = {
    {Event::register_read}, {Event::register_read_carried}, {Event::operand_collected}};
constexpr Charge kRegisterWrite[] = {{Event::register_written}, {Event::register_written_carried}};
// Above the main register file an operand passes no collector: these gather what comes from banks.
constexpr Charge kUpperReadPrivate[] = {{Event::operand_file_read},
                                        {Event::operand_file_carried_private}};
constexpr Charge kUpperReadShared[] = {{Event::operand_file_read},
                                       {Event::operand_file_carried_shared}};
constexpr Charge kUpperWritePrivate[] = {{Event::operand_file_written},
                                         {Event::operand_file_carried_private}};
constexpr Charge kUpperWriteShared[] = {{Event::operand_file_written},
                                        {Event::operand_file_carried_shared}};
constexpr Charge kLastRead[] = {{Event::last_result_read}, {Event::last_result_carried}};
constexpr Charge kLastWrite[] = {{Event::last_result_written}, {Event::last_result_carried}};
// What moves between levels goes as far as the lower one is from the units. Of a write-back the
// main file counts the write.
constexpr Charge kWrittenBack[] = {{Event::operand_file_read}};
constexpr Charge kLastWrittenBack[] = {{Event::last_result_read}};
constexpr Charge kFallen[] = {{Event::last_result_read},
                              {Event::operand_file_written},
                              {Event::operand_file_carried_private}};
// An entry that was written is read once more, to commit it. The write to the register file that
// this is, and what a source would have taken there, are among the operands'.
constexpr Charge kEntryWrittenAndCommitted[] = {{Event::scoreboard_written},
                                                {Event::scoreboard_read}};
constexpr Charge kEntryRead[] = {{Event::scoreboard_read}};
constexpr Charge kInteger[] = {{Event::integer_operation, Times::active_lanes}};
constexpr Charge kFp32[] = {{Event::fp32_operation, Times::active_lanes}};
constexpr Charge kFp64[] = {{Event::fp64_operation, Times::active_lanes}};
constexpr Charge kSpecial[] = {{Event::special_operation, Times::active_lanes}};
constexpr Charge kAddresses[] = {{Event::addresses_made}};
constexpr Charge kTextureLoad[] = {{Event::addresses_made},
                                   {Event::texture_filtered, Times::active_lanes}};
constexpr Charge kScratchpadPass[] = {{Event::shared_memory_accessed, Times::scratchpad_pass}};
constexpr Charge kL1Tags[] = {{Event::l1_tags_read}};
constexpr Charge kL1Read[] = {{Event::l1_read, Times::l1_segment}};
constexpr Charge kL1Fill[] = {{Event::l1_written, Times::l1_fill}};
constexpr Charge kL1Store[] = {{Event::l1_tags_read}, {Event::l1_written, Times::l1_segment}};
constexpr Charge kL1Writeback[] = {{Event::l1_read, Times::sixteenth}};
constexpr Charge kConstant[] = {{Event::constant_read}};
constexpr Charge kConstantFill[] = {{Event::constant_fill}};
constexpr Charge kTexture[] = {{Event::texture_read}};
constexpr Charge kTextureFill[] = {{Event::texture_fill}};
constexpr Charge kCoreCycle[] = {{Event::core_cycle}};
constexpr Charge kCrossbarByte[] = {{Event::interconnect_carried}};
constexpr Charge kL2Tags[] = {{Event::l2_tags_read, Times::with_l2}};
constexpr Charge kL2Byte[] = {{Event::l2_moved, Times::with_l2}};
constexpr Charge kAtomic[] = {{Event::l2_atomic, Times::active_lanes}};
constexpr Charge kDramByte[] = {{Event::dram_moved, Times::bits},
                                {Event::l2_moved, Times::with_l2}};
constexpr Charge kDramRow[] = {{Event::dram_row_opened}};

// Why counters are free.
constexpr std::string_view kTime = "it counts time, which core.cycle and leakage take into account";
constexpr std::string_view kAccess = "its access is charged, whatever came of it";
constexpr std::string_view kPart = "it is part of another counter, which is charged";
constexpr std::string_view kOperandsOfInstructions = "what instructions read and write is charged";
constexpr std::string_view kBytes = "its bytes are charged";
constexpr std::string_view kTagsOfRegisters =
    "nobody says what they take: few bits, which lie beside the scheduler to take little";
constexpr std::string_view kScoreboard =
    "entries are charged as they are written and read; nobody says what tags and lists take";
constexpr std::string_view kPredicted =
    "the branch is charged; nobody says what a predictor of 1 kbit takes";
constexpr std::string_view kCache = "the cache that it goes to is charged";

constexpr ChargeRule kRules[] = {
    {"sm.warp_instructions", kDecode},
    {"sm.thread_instructions", {}, "units are charged by their active lanes, which it tells"},
    {"lanes.*", {}, kPart},
    {"sm.active_cycles", kCoreCycle},
    {"sm.resident_warp_cycles", {}, kTime},
    {"sm.resident_block_cycles", {}, kTime},
    {"sm.register_cycles", {}, kTime},
    {"sm.idle_cycles", {}, kTime},
    {"sm.ended_blocks", {}, "what a block's warps do is charged"},
    {"sm.underutilisation*", {}, kTime},
    {"scheduler.selected", kIssue},
    {"scheduler.wrong_path", kIssueInVain},
    {"scheduler.*", {}, kTime},
    {"warp.*", {}, kTime},
    {"icache.fetches", kFetch},
    {"icache.hits", {}, kAccess},
    {"icache.merges", {}, kAccess},
    {"icache.misses", kFetchFill},
    {"dependence.entries_written", kEntryWrittenAndCommitted},
    {"dependence.reads", kEntryRead},
    {"dependence.*", {}, kScoreboard},
    {"branch.branches", kBranch},
    {"branch.jumps", kBranch},
    {"branch.*", {}, kPredicted},
    {"operands.reads", kRegisterRead, {}, Operand::read},
    {"operands.writes", kRegisterWrite, {}, Operand::written},
    {"operands.upper_reads_private", kUpperReadPrivate, {}, Operand::read},
    {"operands.upper_reads_shared", kUpperReadShared, {}, Operand::read},
    {"operands.upper_writes_private", kUpperWritePrivate, {}, Operand::written},
    {"operands.upper_writes_shared", kUpperWriteShared, {}, Operand::written},
    {"operands.last_reads", kLastRead, {}, Operand::read},
    {"operands.last_writes", kLastWrite, {}, Operand::written},
    {"operands.duplicate_writes", {}, "both writes are charged", Operand::no_result},
    // The read has been charged, and brings it to the units.
    {"operands.fills_private", kUpperWritePrivate},
    {"operands.fills_shared", kUpperWriteShared},
    {"operands.last_fills", kLastWrite},
    {"operands.written_back", kWrittenBack, {}, Operand::no_result},
    {"operands.last_written_back", kLastWrittenBack, {}, Operand::no_result},
    {"operands.fallen", kFallen},
    {"operands.split_reads", {}, "all of its reads are charged", Operand::no_source},
    {"operands.tag_checks", {}, kTagsOfRegisters},
    {"operands.suspensions", {}, "what they write back is charged"},
    {"operands.one_from_main", {}, kOperandsOfInstructions},
    {"operands.two_from_main", {}, kOperandsOfInstructions},
    {"operands.more_from_main", {}, kOperandsOfInstructions},
    {"operands.operands_from_main", {}, kOperandsOfInstructions},
    {"operands.one_operand_from_main", {}, kOperandsOfInstructions},
    {"operands.two_operands_from_main", {}, kOperandsOfInstructions},
    {"operands.more_operands_from_main", {}, kOperandsOfInstructions},
    {"operands.strands", {}, "it is code that is executed, which is charged"},
    {"operands.pool_*", {}, "what it takes to share words is not in the paper's limit study"},
    {"operands.live_ins", {}, kOperandsOfInstructions},
    {"operands.live_outs", {}, kOperandsOfInstructions},
    {"operands.live_in_operands", {}, kOperandsOfInstructions},
    {"operands.live_out_operands", {}, kOperandsOfInstructions},
    {"operands.values_*", {}, kOperandsOfInstructions},
    {"operands.once_*", {}, kOperandsOfInstructions},
    {"operands.checked_values", {}, "it is there for tests, and in no machine"},
    {"operands.wrong_values", {}, "it is there for tests, and in no machine"},
    {"operands.read_conflict_cycles", {}, kTime},
    {"operands.write_conflict_cycles", {}, kTime},
    {"units.integer.instructions", kInteger},
    {"units.fp32.instructions", kFp32},
    {"units.fp64.instructions", kFp64},
    {"units.special.instructions", kSpecial},
    {"units.integer.busy_cycles", {}, kTime},
    {"units.fp32.busy_cycles", {}, kTime},
    {"units.fp64.busy_cycles", {}, kTime},
    {"units.special.busy_cycles", {}, kTime},
    {"units.active_cycles", {}, kTime},
    {"lsu.global_loads", kAddresses},
    {"lsu.global_stores", kAddresses},
    {"lsu.local_loads", kAddresses},
    {"lsu.local_stores", kAddresses},
    {"lsu.atomics", kAddresses},
    {"lsu.constant_loads", kAddresses},
    {"lsu.texture_loads", kTextureLoad},
    {"lsu.load_segments", {}, kCache},
    {"lsu.uncached_segments", {}, kCache},
    {"lsu.store_segments", {}, kCache},
    {"lsu.atomic_segments", {}, kCache},
    {"l1.accesses", kL1Tags},
    {"l1.hits", kL1Read},
    {"l1.merged", kL1Read},
    {"l1.misses", kL1Fill},
    {"l1.evictions", {}, "what was written is charged as bytes of write-backs"},
    {"l1.mshrs_full_cycles", {}, kTime},
    {"l1.merges_full_cycles", {}, kTime},
    {"l1.set_pending_cycles", {}, kTime},
    {"l1.send_full_cycles", {}, kTime},
    {"l1.store_hits", kL1Store},
    {"l1.store_misses", kL1Tags},
    {"l1.writebacks", {}, kBytes},
    {"l1.writeback_bytes", kL1Writeback},
    {"scratchpad.accesses", kAddresses},
    {"scratchpad.passes", kScratchpadPass},
    {"scratchpad.conflict_cycles", {}, kPart},
    {"scratchpad.atomics", {}, kPart},
    {"constant.accesses", kConstant},
    {"constant.misses", kConstantFill},
    {"constant.*", {}, kAccess},
    {"texture.accesses", kTexture},
    {"texture.misses", kTextureFill},
    {"texture.*", {}, kAccess},
    {"crossbar_out.requests_sent", {}, kBytes},
    {"crossbar_out.bytes_sent", kCrossbarByte},
    {"crossbar_in.responses_received", {}, kBytes},
    {"crossbar_in.bytes_received", kCrossbarByte},
    {"crossbar.requests", {}, kBytes},
    {"crossbar.answers", {}, kBytes},
    {"crossbar.bytes_in", kL2Byte},  // The crossbar has been charged at its other end.
    {"crossbar.bytes_out", kL2Byte},
    {"crossbar.blocked_cycles", {}, kTime},
    {"l2.reads", kL2Tags},
    {"l2.writes", kL2Tags},
    {"l2.atomics", kL2Tags},
    {"l2.hits", {}, kAccess},
    {"l2.misses", {}, "what it brings is charged as bytes of DRAM"},
    {"l2.merged", {}, kAccess},
    {"l2.evictions", {}, "what was written is charged as bytes of DRAM"},
    {"l2.writebacks", {}, "what was written is charged as bytes of DRAM"},
    {"atomic.performed", kAtomic},
    {"atomic.unit_cycles", {}, kTime},
    {"dram.reads", {}, kBytes},
    {"dram.writes", {}, kBytes},
    {"dram.row_hits", {}, kBytes},
    {"dram.row_misses", {}, "the row that it opens is charged"},
    {"dram.row_conflicts", {}, "the row that it opens is charged"},
    {"dram.activations", kDramRow},
    {"dram.data_bytes", kDramByte},
    {"dram.busy_cycles", {}, kTime},
};

bool is_family_of(std::string_view rule, std::string_view counter) {
  return rule.ends_with('*') && counter.starts_with(rule.substr(0, rule.size() - 1));
}

}  // namespace

std::span<const ChargeRule> all_rules() { return kRules; }

const ChargeRule* find_rule(std::string_view counter) {
  const ChargeRule* family = nullptr;
  for (const ChargeRule& rule : kRules) {
    if (rule.counter == counter) return &rule;
    if (is_family_of(rule.counter, counter)) family = &rule;
  }
  return family;
}

}  // namespace heddle::energy
