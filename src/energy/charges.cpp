#include "energy/charges.h"

#include <algorithm>

namespace heddle::energy {
namespace {

// The events that one count of a counter is charged as.
constexpr Charge kFetch[] = {{Event::instruction_access}};
constexpr Charge kFetchFill[] = {{Event::instruction_fill}};
constexpr Charge kDecode[] = {{Event::instruction_decoded}};
constexpr Charge kIssue[] = {{Event::instruction_issued}};
constexpr Charge kModeSwitch[] = {{Event::mode_switched}};
// A reused instruction is counted as one of the warp, but bypasses decode.
constexpr Charge kNotDecoded[] = {{Event::instruction_decoded, Times::not_done}};
constexpr Charge kRenaming[] = {{Event::register_renamed}};
constexpr Charge kResultQueue[] = {{Event::result_queue_accessed}};
// A move of a register of all lanes, from its renaming register to its own place.
constexpr Charge kMove[] = {{Event::register_read},
                            {Event::register_read_carried},
                            {Event::operand_collected},
                            {Event::register_written},
                            {Event::register_written_carried}};
constexpr Charge kSpeculativeIssue[] = {{Event::instruction_decoded}, {Event::instruction_issued}};
constexpr Charge kBranch[] = {{Event::branch_evaluated}};
constexpr Charge kRegisterRead[] = {
    {Event::register_read}, {Event::register_read_carried}, {Event::operand_collected}};
constexpr Charge kRegisterWrite[] = {{Event::register_written}, {Event::register_written_carried}};
// A register of which one lane is accessed is also counted, and charged, as a whole register.
constexpr Charge kOneLaneRead[] = {{Event::register_read, Times::not_done},
                                   {Event::register_lane_read},
                                   {Event::register_read_carried, Times::not_other_lanes},
                                   {Event::operand_collected, Times::not_other_lanes}};
constexpr Charge kOneLaneWrite[] = {{Event::register_written, Times::not_done},
                                    {Event::register_lane_written},
                                    {Event::register_written_carried, Times::not_other_lanes}};
constexpr Charge kScalarRead[] = {{Event::scalar_register_read},
                                  {Event::register_read_carried, Times::one_lane},
                                  {Event::operand_collected, Times::one_lane}};
constexpr Charge kScalarWrite[] = {{Event::scalar_register_written},
                                   {Event::register_written_carried, Times::one_lane}};
// A register move from one lane to all. The operations of its lanes are counted by the unit.
constexpr Charge kCopy[] = {{Event::register_lane_read},
                            {Event::register_read_carried, Times::one_lane},
                            {Event::operand_collected, Times::one_lane},
                            {Event::register_written},
                            {Event::register_written_carried}};
constexpr Charge kReuseLookup[] = {{Event::reuse_looked_up}};
constexpr Charge kReuseUpdate[] = {{Event::reuse_updated}};
constexpr Charge kCheck[] = {{Event::lanes_compared}};
// The second copy of a uniform value is in a lane of the vector register, wherever the first is.
constexpr Charge kSecondCopy[] = {{Event::register_lane_written},
                                  {Event::register_written_carried, Times::one_lane}};
// Operands from levels above the main register file bypass the operand collectors, which only
// gather operands from the banks.
constexpr Charge kOperandFileReadPrivate[] = {{Event::operand_file_read},
                                              {Event::operand_file_carried_private}};
constexpr Charge kOperandFileReadShared[] = {{Event::operand_file_read},
                                             {Event::operand_file_carried_shared}};
constexpr Charge kOperandFileWritePrivate[] = {{Event::operand_file_written},
                                               {Event::operand_file_carried_private}};
constexpr Charge kOperandFileWriteShared[] = {{Event::operand_file_written},
                                              {Event::operand_file_carried_shared}};
constexpr Charge kLastResultRead[] = {{Event::last_result_read}, {Event::last_result_carried}};
constexpr Charge kLastResultWrite[] = {{Event::last_result_written}, {Event::last_result_carried}};
// A transfer between levels is charged for the wires of the lower level. A write-back's write is
// counted by the main register file and charged there.
constexpr Charge kWrittenBack[] = {{Event::operand_file_read}};
constexpr Charge kLastResultWrittenBack[] = {{Event::last_result_read}};
constexpr Charge kDemoted[] = {{Event::last_result_read},
                               {Event::operand_file_written},
                               {Event::operand_file_carried_private}};
// Each written entry of the scoreboard is read once more when it commits. The resulting write to
// the register file, and the reads that sources would otherwise make there, are counted among the
// operands.
constexpr Charge kEntryWrittenAndCommitted[] = {{Event::scoreboard_written},
                                                {Event::scoreboard_read}};
constexpr Charge kEntryRead[] = {{Event::scoreboard_read}};
constexpr Charge kInteger[] = {{Event::integer_operation}};
constexpr Charge kFp32[] = {{Event::fp32_operation}};
constexpr Charge kFp64[] = {{Event::fp64_operation}};
constexpr Charge kSpecial[] = {{Event::special_operation}};
constexpr Charge kAddresses[] = {{Event::addresses_made}};
constexpr Charge kTextureLane[] = {{Event::texture_filtered}};
constexpr Charge kScratchpadPass[] = {{Event::shared_memory_accessed, Times::scratchpad_pass}};
constexpr Charge kL1Tags[] = {{Event::l1_tags_read}};
constexpr Charge kL1Read[] = {{Event::l1_read, Times::l1_segment}};
constexpr Charge kL1Fill[] = {{Event::l1_written, Times::l1_fill}};
constexpr Charge kL1Prefetch[] = {{Event::l1_tags_read}, {Event::l1_written, Times::l1_line}};
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
constexpr Charge kAtomic[] = {{Event::l2_atomic}};
constexpr Charge kDramByte[] = {{Event::dram_moved, Times::bits},
                                {Event::l2_moved, Times::with_l2}};
constexpr Charge kDramRow[] = {{Event::dram_row_opened}};

// Reasons why counters are free.
constexpr std::string_view kCountsTime =
    "it counts time, which core.cycle and leakage take into account";
constexpr std::string_view kAccessIsCharged = "the access is charged, whether it hits or misses";
constexpr std::string_view kPartOfChargedCounter =
    "it is part of another counter, which is charged";
constexpr std::string_view kOperandsAreCharged = "reads and writes of instructions are charged";
constexpr std::string_view kLanesAreCharged = "its operations of lanes are charged";
constexpr std::string_view kBytesAreCharged = "its bytes are charged";
constexpr std::string_view kTagsOfRegisters =
    "no figure is published; the tags have few bits and lie beside the scheduler";
constexpr std::string_view kScoreboard =
    "writes and reads of entries are charged; no figure is published for tags and lists";
constexpr std::string_view kPredicted =
    "the branch is charged; no figure is published for a predictor of 1 kbit";
constexpr std::string_view kCacheIsCharged = "the cache that it goes to is charged";
constexpr std::string_view kStorageIsCharged = "the access to the scratchpad or the L1 is charged";

constexpr ChargeRule kRules[] = {
    {"sm.warp_instructions", kDecode},
    {"sm.thread_instructions", {}, "the operations of its lanes are charged"},
    {"lanes.*", {}, kPartOfChargedCounter},
    {"sm.active_cycles", kCoreCycle},
    {"sm.resident_warp_cycles", {}, kCountsTime},
    {"sm.resident_block_cycles", {}, kCountsTime},
    {"sm.register_cycles", {}, kCountsTime},
    {"sm.shared_byte_cycles", {}, kCountsTime},
    {"sm.idle_cycles", {}, kCountsTime},
    {"sm.exposed_branches", {}, kCountsTime},
    {"sm.ended_blocks", {}, "the work of a block's warps is charged"},
    {"sm.underutilisation*", {}, kCountsTime},
    {"scheduler.selected", kIssue},
    {"scheduler.wrong_path", kSpeculativeIssue},
    {"scheduler.ahead", kSpeculativeIssue},
    {"scheduler.*", {}, kCountsTime},
    {"warp.*", {}, kCountsTime},
    {"lookahead.contexts", kModeSwitch},
    {"lookahead.stalls.*", {}, kCountsTime},
    {"lookahead.l1_misses", {}, kPartOfChargedCounter},
    {"lookahead.skipped", kDecode},
    {"lookahead.warp_instructions", {}, "scheduler.ahead is charged"},
    {"lookahead.thread_instructions", {}, kPartOfChargedCounter},
    {"lookahead.loads", kAddresses},
    {"lookahead.reused", kNotDecoded},
    {"lookahead.renamings", kRenaming},
    {"lookahead.queue_accesses", kResultQueue},
    {"lookahead.queue_misses", kResultQueue},
    {"lookahead.renaming_lookups", kRenaming},
    {"lookahead.register_cycles", {}, kCountsTime},
    {"lookahead.moved", kMove},
    {"lookahead.preloads", {}, kPartOfChargedCounter},
    {"lookahead.not_queued", {}, kPartOfChargedCounter},
    {"lookahead.late", {}, "the instruction is executed, and charged, again"},
    {"lookahead.dropped", {}, "a queue is cleared by resetting its pointers"},
    {"lookahead.registers_*", {}, "renamings are charged; no figure is published for the vector"},
    {"lookahead.wrong_results", {}, "it exists for tests only"},
    {"icache.fetches", kFetch},
    {"icache.hits", {}, kAccessIsCharged},
    {"icache.merges", {}, kAccessIsCharged},
    {"icache.misses", kFetchFill},
    {"dependence.entries_written", kEntryWrittenAndCommitted},
    {"dependence.reads", kEntryRead},
    {"dependence.*", {}, kScoreboard},
    {"branch.branches", kBranch},
    {"branch.jumps", kBranch},
    {"branch.*", {}, kPredicted},
    {"operands.reads", kRegisterRead, {}, Operand::read},
    {"operands.writes", kRegisterWrite, {}, Operand::written},
    {"operands.one_lane_reads", kOneLaneRead},
    {"operands.one_lane_writes", kOneLaneWrite},
    {"redundancy.scalar.reads", kScalarRead, {}, Operand::read},
    {"redundancy.scalar.writes", kScalarWrite, {}, Operand::written},
    {"redundancy.copies", kCopy},
    {"redundancy.reuse.lookups", kReuseLookup},
    {"redundancy.reuse.updates", kReuseUpdate},
    {"redundancy.errors.comparisons", kCheck},
    {"redundancy.errors.second_copies", kSecondCopy},
    {"redundancy.*", {}, "the work that remains is charged; no figure is published for flags"},
    {"redundancy.observed.*", {}, "it describes instructions that are charged"},
    {"operands.operand_file_reads_private", kOperandFileReadPrivate, {}, Operand::read},
    {"operands.operand_file_reads_shared", kOperandFileReadShared, {}, Operand::read},
    {"operands.operand_file_writes_private", kOperandFileWritePrivate, {}, Operand::written},
    {"operands.operand_file_writes_shared", kOperandFileWriteShared, {}, Operand::written},
    {"operands.last_reads", kLastResultRead, {}, Operand::read},
    {"operands.last_writes", kLastResultWrite, {}, Operand::written},
    {"operands.duplicate_writes", {}, "both writes are charged", Operand::no_result},
    // The read that fills the entry has been charged, with its transfer to the units.
    {"operands.fills_private", kOperandFileWritePrivate},
    {"operands.fills_shared", kOperandFileWriteShared},
    {"operands.last_fills", kLastResultWrite},
    {"operands.written_back", kWrittenBack, {}, Operand::no_result},
    {"operands.last_written_back", kLastResultWrittenBack, {}, Operand::no_result},
    {"operands.demoted", kDemoted},
    {"operands.split_reads", {}, "all of its reads are charged", Operand::no_source},
    {"operands.tag_checks", {}, kTagsOfRegisters},
    {"operands.suspensions", {}, "their write-backs are charged"},
    {"operands.one_registers_from_main", {}, kOperandsAreCharged},
    {"operands.two_registers_from_main", {}, kOperandsAreCharged},
    {"operands.more_registers_from_main", {}, kOperandsAreCharged},
    {"operands.operands_from_main", {}, kOperandsAreCharged},
    {"operands.one_operand_from_main", {}, kOperandsAreCharged},
    {"operands.two_operands_from_main", {}, kOperandsAreCharged},
    {"operands.more_operands_from_main", {}, kOperandsAreCharged},
    {"operands.strands", {}, "the executed code is charged"},
    {"operands.pool_*", {}, "the paper's limit study does not include the energy of sharing words"},
    {"operands.live_ins", {}, kOperandsAreCharged},
    {"operands.live_outs", {}, kOperandsAreCharged},
    {"operands.live_in_operands", {}, kOperandsAreCharged},
    {"operands.live_out_operands", {}, kOperandsAreCharged},
    {"operands.values_*", {}, kOperandsAreCharged},
    {"operands.read_once_*", {}, kOperandsAreCharged},
    {"operands.checked_values", {}, "it exists for tests only, and in no machine"},
    {"operands.wrong_values", {}, "it exists for tests only, and in no machine"},
    {"operands.read_conflicts", {}, kOperandsAreCharged},
    {"operands.read_conflict_cycles", {}, kCountsTime},
    {"operands.write_conflicts", {}, kOperandsAreCharged},
    {"operands.write_conflict_cycles", {}, kCountsTime},
    {"units.integer.instructions",
     {},
     kLanesAreCharged,
     Operand::none,
     "units.integer.lane_operations"},
    {"units.integer.lane_operations", kInteger},
    {"units.fp32.instructions", {}, kLanesAreCharged, Operand::none, "units.fp32.lane_operations"},
    {"units.fp32.lane_operations", kFp32},
    {"units.fp64.instructions", {}, kLanesAreCharged, Operand::none, "units.fp64.lane_operations"},
    {"units.fp64.lane_operations", kFp64},
    {"units.special.instructions",
     {},
     kLanesAreCharged,
     Operand::none,
     "units.special.lane_operations"},
    {"units.special.lane_operations", kSpecial},
    {"units.integer.busy_cycles", {}, kCountsTime},
    {"units.fp32.busy_cycles", {}, kCountsTime},
    {"units.fp64.busy_cycles", {}, kCountsTime},
    {"units.special.busy_cycles", {}, kCountsTime},
    {"units.active_cycles", {}, kCountsTime},
    {"lsu.global_loads", kAddresses},
    {"lsu.global_stores", kAddresses},
    {"lsu.local_loads", kAddresses},
    {"lsu.local_stores", kAddresses},
    {"lsu.atomics", kAddresses},
    {"lsu.constant_loads", kAddresses},
    {"lsu.texture_loads", kAddresses, {}, Operand::none, "lsu.texture_lanes"},
    {"lsu.texture_lanes", kTextureLane},
    {"lsu.load_segments", {}, kCacheIsCharged},
    {"lsu.uncached_segments", {}, kCacheIsCharged},
    {"lsu.store_segments", {}, kCacheIsCharged},
    {"lsu.atomic_segments", {}, kCacheIsCharged},
    {"l1.accesses", kL1Tags},
    {"l1.hits", kL1Read},
    {"l1.merged", kL1Read},
    {"l1.misses", kL1Fill},
    {"l1.evictions", {}, "dirty data is charged as bytes of write-backs"},
    {"l1.mshrs_full_cycles", {}, kCountsTime},
    {"l1.merges_full_cycles", {}, kCountsTime},
    {"l1.set_pending_cycles", {}, kCountsTime},
    {"l1.send_full_cycles", {}, kCountsTime},
    {"l1.store_hits", kL1Store},
    {"l1.store_misses", kL1Tags},
    {"l1.writebacks", {}, kBytesAreCharged},
    {"l1.writeback_bytes", kL1Writeback},
    {"l1.prefetch.issued", kL1Prefetch},
    {"l1.prefetch.redundant", kL1Tags},
    {"l1.prefetch.dropped", {}, "hardly any of them are looked up in the L1"},
    {"l1.prefetch.*", {}, kAccessIsCharged},
    {"scratchpad.accesses", kAddresses},
    {"scratchpad.passes", kScratchpadPass},
    {"scratchpad.conflicting_accesses", {}, kPartOfChargedCounter},
    {"scratchpad.conflict_cycles", {}, kPartOfChargedCounter},
    {"scratchpad.atomics", {}, kPartOfChargedCounter},
    {"banks.accesses", {}, kStorageIsCharged},
    {"banks.delayed", {}, kPartOfChargedCounter},
    {"banks.conflict_cycles", {}, kCountsTime},
    {"banks.buffered_writes", {}, kStorageIsCharged},
    {"banks.buffer_conflict_cycles", {}, kCountsTime},
    {"storage.off_kilobyte_cycles", {}, "it is subtracted from the storage that leaks"},
    {"constant.accesses", kConstant},
    {"constant.misses", kConstantFill},
    {"constant.*", {}, kAccessIsCharged},
    {"texture.accesses", kTexture},
    {"texture.misses", kTextureFill},
    {"texture.*", {}, kAccessIsCharged},
    {"crossbar_out.requests_sent", {}, kBytesAreCharged},
    {"crossbar_out.bytes_sent", kCrossbarByte},
    {"crossbar_in.responses_received", {}, kBytesAreCharged},
    {"crossbar_in.bytes_received", kCrossbarByte},
    {"crossbar.requests", {}, kBytesAreCharged},
    {"crossbar.responses", {}, kBytesAreCharged},
    {"crossbar.bytes_in", kL2Byte},  // The crossbar is charged at its other end.
    {"crossbar.bytes_out", kL2Byte},
    {"crossbar.blocked_cycles", {}, kCountsTime},
    {"l2.reads", kL2Tags},
    {"l2.writes", kL2Tags},
    {"l2.atomics", kL2Tags},
    {"l2.hits", {}, kAccessIsCharged},
    {"l2.misses", {}, "the fill is charged as bytes of DRAM"},
    {"l2.merged", {}, kAccessIsCharged},
    {"l2.evictions", {}, "dirty data is charged as bytes of DRAM"},
    {"l2.writebacks", {}, "dirty data is charged as bytes of DRAM"},
    {"atomic.performed", {}, kLanesAreCharged, Operand::none, "atomic.lane_operations"},
    {"atomic.lane_operations", kAtomic},
    {"atomic.unit_cycles", {}, kCountsTime},
    {"dram.reads", {}, kBytesAreCharged},
    {"dram.writes", {}, kBytesAreCharged},
    {"dram.row_hits", {}, kBytesAreCharged},
    {"dram.row_misses", {}, "the activation of the row is charged"},
    {"dram.row_conflicts", {}, "the activation of the row is charged"},
    {"dram.activations", kDramRow},
    {"dram.data_bytes", kDramByte},
    {"dram.busy_cycles", {}, kCountsTime},
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
