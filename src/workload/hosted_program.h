#pragma once

// A workload whose host part runs on a thread of its own, run after run, and takes turns with
// whoever runs its launches: one of the two runs, the other waits. So several programs can have
// launches under way at once, and what they do is in an order that does not depend on the host's.

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "exec/engine.h"
#include "workload/run.h"

namespace heddle::workload {

class HostedProgram {
 public:
  /// `engine` answers what the host part asks about residency, in its turn. The options' own engine
  /// is not used. Workload and engine must outlive it.
  HostedProgram(const Workload& workload, RunOptions options, const exec::Engine& engine);
  /// Ends the host part wherever it is.
  ~HostedProgram();
  HostedProgram(const HostedProgram&) = delete;
  HostedProgram& operator=(const HostedProgram&) = delete;

  const Workload& workload() const { return workload_; }
  const RunOptions& options() const { return options_; }

  /// Lets the host part go on to its next launch, which stays until the call after it. Null: its
  /// run has ended, with result(), and the next call begins another, on a device of its own. Throws
  /// what the host part throws, once.
  const exec::Launch* go_on();
  /// What came of the launch: to be said before the host part goes on.
  void launch_ended(const exec::GridResult& result) { launched_ = result; }
  /// Of the run that ended last.
  const RunResult& result() const { return result_; }

 private:
  class Proxy;
  enum class Turn : std::uint8_t { callers, hosts };

  void serve();
  exec::GridResult hand_over(const exec::Launch& launch);
  void give_turn(Turn to);
  void wait_for(Turn turn);

  const Workload& workload_;
  RunOptions options_;
  std::unique_ptr<Proxy> proxy_;

  std::mutex mutex_;
  std::condition_variable turned_;
  Turn turn_ = Turn::callers;  ///< Under the mutex; who has it may use all that follows.
  const exec::Launch* launch_ = nullptr;
  exec::GridResult launched_;
  RunResult result_;
  std::exception_ptr thrown_;
  bool is_to_end_ = false;

  std::thread thread_;  ///< Last: it uses the others.
};

}  // namespace heddle::workload
