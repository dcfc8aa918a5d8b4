#pragma once

#include "exec/formed_warp.h"
#include "sm/divergence/warp_pool.h"
#include "sm/divergence/wide_warp.h"

namespace heddle::sm {

/// Threads that have come together, in a slot, for one instruction.
class FormedWarp final : public WideWarp {
 public:
  explicit FormedWarp(exec::FormedWarp& all) : all_(all) {}

  Company& company() { return company_; }
  /// After execute() or skip(): where they go on.
  const exec::FormedWarp::Sides& sides() const { return sides_; }
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

  void enter() override;
  void execute() override {
    sides_.clear();
    all_.execute(company_.threads, sides_);
  }
  void skip() override {
    sides_.clear();
    sides_.push_back({company_.threads.lanes, company_.threads.pc + 1});
  }
  void find_passes(const IssueInfo& instruction, std::vector<Pass>& passes) const override;

 private:
  exec::FormedWarp& all_;
  Company company_;
  exec::FormedWarp::Sides sides_;
};

}  // namespace heddle::sm
