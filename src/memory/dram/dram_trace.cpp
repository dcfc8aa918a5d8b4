#include "memory/dram/dram_trace.h"

namespace heddle::memory {
namespace {

using trace::kHex;
using trace::Kind;
using trace::kNothing;

const Kind kActivate{"dram_activate", "a row is opened", {{"bank"}, {"row", kHex}, {"dram_cycle"}}};
const Kind kPrecharge{"dram_precharge", "a bank's row is closed", {{"bank"}, {"dram_cycle"}}};
const Kind kRead{"dram_read",
                 "the column command of a read (without banks: its arrival)",
                 {{"bank"}, {"row", kHex}, {"bytes"}, {"dram_cycle"}, {"done_in_dram_cycle"}}};
const Kind kWrite{"dram_write",
                  "the column command of a write (without banks: its arrival)",
                  {{"bank"}, {"row", kHex}, {"bytes"}, {"dram_cycle"}, {"done_in_dram_cycle"}}};

}  // namespace

void DramTrace::activate(Cycle at, std::uint32_t bank, std::uint64_t row) const {
  log_->note({.at = clocks_.to_near(at), .kind = &kActivate, .values = {bank, row, at.number}});
}

void DramTrace::precharge(Cycle at, std::uint32_t bank) const {
  log_->note({.at = clocks_.to_near(at), .kind = &kPrecharge, .values = {bank, at.number}});
}

void DramTrace::transfer(Cycle at, bool is_write, std::uint32_t bank, std::uint64_t row,
                         std::uint32_t bytes, Cycle done) const {
  log_->note({.at = clocks_.to_near(at),
              .kind = is_write ? &kWrite : &kRead,
              .values = {bank, row, bytes, at.number, done.number}});
}

void DramTrace::transfer(Cycle arrival, bool is_write, std::uint32_t bytes, Cycle done) const {
  log_->note({.at = clocks_.to_near(arrival),
              .kind = is_write ? &kWrite : &kRead,
              .values = {kNothing, kNothing, bytes, arrival.number, done.number}});
}

}  // namespace heddle::memory
