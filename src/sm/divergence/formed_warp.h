#pragma once

#include <span>
#include <vector>

#include "exec/divergence/stackless_threads.h"
#include "sm/divergence/warp_pool.h"
#include "sm/pipeline/travellers.h"

namespace heddle::sm {

/// Threads that have come together, in a slot, for one instruction.
class FormedWarp {
 public:
  explicit FormedWarp(exec::StacklessThreads& all) : all_(all) {}

  Company& company() { return company_; }
  const Company& company() const { return company_; }
  /// After execute() or skip(): where they go on.
  const exec::StacklessThreads::Sides& sides() const { return sides_; }
  /// Threads that are about to execute what they are at.
  void put(const Company& company) {
    if (&company != &company_) company_ = company;
    sides_.clear();
    sides_.push_back({company.threads.lanes, company.threads.pc});
  }
  /// Nobody parts: the same threads go on.
  bool stays_together() const {
    return sides_.size() == 1 && sides_[0].threads == company_.threads.lanes;
  }

  void enter() {
    all_.enter(company_.threads);
    rows_.clear();
    for (const exec::FormedThreads::Part& part : company_.threads.parts) {
      rows_.push_back({.block = &all_.block(part.row),
                       .warp = &all_.warp(part.row),
                       .home = part.row,
                       .path = part.lanes});
    }
  }
  std::span<const Row> rows() const { return rows_; }
  void execute() {
    sides_.clear();
    all_.execute(company_.threads, sides_);
  }
  void skip() {
    sides_.clear();
    sides_.push_back({company_.threads.lanes, company_.threads.pc + 1});
  }

 private:
  exec::StacklessThreads& all_;
  Company company_;
  exec::StacklessThreads::Sides sides_;
  std::vector<Row> rows_;
};

}  // namespace heddle::sm
