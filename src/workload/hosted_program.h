#pragma once

// A workload whose host part runs repeatedly on a thread of its own and alternates with the caller
// that runs its launches: while one of the two runs, the other waits. Several programs can thus
// have launches in flight at once, in an order that does not depend on the host's scheduling.

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
  /// `engine` handles the host part's queries about residency, during the host's turn. The engine
  /// in `options` is not used. Workload and engine must outlive this object.
  HostedProgram(const Workload& workload, RunOptions options, const exec::Engine& engine);
  /// Aborts the host part at its current launch and joins the thread.
  ~HostedProgram();
  HostedProgram(const HostedProgram&) = delete;
  HostedProgram& operator=(const HostedProgram&) = delete;

  const Workload& workload() const { return workload_; }
  const RunOptions& options() const { return options_; }

  /// Resumes the host part until its next launch, which stays valid until the next call. Null if
  /// its run has ended: result() is set then, and the next call begins another run on a new device.
  /// Rethrows an exception of the host part once.
  const exec::Launch* resume();
  /// Sets the result of the launch; must be called before the host part is resumed.
  void launch_ended(const exec::GridResult& result) { launch_result_ = result; }
  /// The result of the last completed run.
  const RunResult& result() const { return result_; }

 private:
  class Proxy;
  enum class Turn : std::uint8_t { caller, host };

  void serve();
  exec::GridResult hand_over(const exec::Launch& launch);
  void give_turn(Turn to);
  void wait_for(Turn turn);

  const Workload& workload_;
  RunOptions options_;
  std::unique_ptr<Proxy> proxy_;

  std::mutex mutex_;
  std::condition_variable turned_;
  Turn turn_ = Turn::caller;  ///< Guarded by the mutex. The thread that has the turn owns the rest.
  const exec::Launch* launch_ = nullptr;
  exec::GridResult launch_result_;
  RunResult result_;
  std::exception_ptr thrown_;
  bool abandoned_ = false;  ///< Set by the destructor: the host part must end.

  std::thread thread_;  ///< Declared last, because it uses the other members.
};

}  // namespace heddle::workload
