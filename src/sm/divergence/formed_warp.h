#pragma once

#include "exec/formed_warp.h"
#include "sm/divergence/wide_warp.h"

namespace heddle::sm {

/// Threads that have come together, in a slot, for one instruction.
class FormedWarp final : public WideWarp {
 public:
  explicit FormedWarp(exec::FormedWarp& all) : all_(all) {}

  exec::FormedThreads& threads() { return threads_; }
  /// Threads that are about to execute what they are at.
  void put(const exec::FormedThreads& threads) {
    threads_ = threads;
    sides_.clear();
    sides_.push_back({threads.lanes, threads.pc});
  }
  /// After execute() or skip(): where they go on.
  const exec::FormedWarp::Sides& sides() const { return sides_; }

  void enter() override;
  void execute() override {
    all_.execute(threads_);
    sides_ = all_.sides();
  }
  void skip() override {
    all_.skip(threads_);
    sides_ = all_.sides();
  }
  void find_passes(const IssueInfo& instruction, std::vector<Pass>& passes) const override;

 private:
  exec::FormedWarp& all_;
  exec::FormedThreads threads_;
  exec::FormedWarp::Sides sides_;
};

}  // namespace heddle::sm
