#pragma once

// A workload whose host part runs repeatedly on a host thread of its own. The host part takes turns
// with the caller, which runs its launches: while one of the two runs, the other waits. Several
// programs can thus have launches in flight at once, and the order of events does not depend on how
// the operating system schedules the threads.

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
  /// `engine` only tells the host part how many blocks can be resident; it is called during the
  /// host part's turn. The engine in `options` is not used. Workload and engine must outlive this
  /// object.
  HostedProgram(const Workload& workload, RunOptions options, const exec::Engine& engine);
  /// Aborts the host part at its current launch and joins the thread.
  ~HostedProgram();
  HostedProgram(const HostedProgram&) = delete;
  HostedProgram& operator=(const HostedProgram&) = delete;

  const Workload& workload() const { return workload_; }
  const RunOptions& options() const { return options_; }

  /// Resumes the host part until its next launch and returns the launch, which stays valid until
  /// the next call. Returns null if the run of the workload has ended: result() is then set, and
  /// the next call begins another run on a new device. Rethrows an exception of the host part,
  /// once.
  const exec::Launch* resume();
  /// Sets the result of the launch that resume() returned; must be called before the next resume().
  void launch_ended(const exec::GridResult& result) { launch_result_ = result; }
  /// The result of the last run that ended.
  const RunResult& result() const { return result_; }

 private:
  class Proxy;
  enum class Turn : std::uint8_t { caller, host_part };

  /// The loop of the host part's thread.
  void run_host_part();
  /// Called on the host part's thread: gives the launch and the turn to the caller, and waits for
  /// the result.
  exec::GridResult hand_over(const exec::Launch& launch);
  void give_turn(Turn to);
  void wait_for(Turn turn);

  const Workload& workload_;
  RunOptions options_;
  std::unique_ptr<Proxy> proxy_;

  std::mutex mutex_;
  std::condition_variable turn_changed_;
  /// Guarded by the mutex. Only the thread that has the turn accesses the members below.
  Turn turn_ = Turn::caller;
  const exec::Launch* launch_ = nullptr;
  exec::GridResult launch_result_;
  RunResult result_;
  std::exception_ptr exception_;  ///< Thrown by the host part and not yet rethrown; else null.
  bool is_abandoned_ = false;     ///< Set by the destructor: the host part must end.

  std::thread thread_;  ///< Declared last, because it uses the other members.
};

}  // namespace heddle::workload
