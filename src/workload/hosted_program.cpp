#include "workload/hosted_program.h"

#include <utility>

namespace heddle::workload {
namespace {

/// Thrown in an abandoned host part to unwind its stack.
struct Abandoned {};

}  // namespace

/// The engine that the host part sees: it hands launches over to the caller.
class HostedProgram::Proxy final : public exec::Engine {
 public:
  Proxy(HostedProgram& program, const exec::Engine& engine) : program_(program), engine_(engine) {}

  exec::GridResult run(const exec::Launch& launch) override { return program_.hand_over(launch); }
  std::uint64_t resident_blocks(const exec::Launch& launch) const override {
    return engine_.resident_blocks(launch);
  }

 private:
  HostedProgram& program_;
  const exec::Engine& engine_;
};

HostedProgram::HostedProgram(const Workload& workload, RunOptions options,
                             const exec::Engine& engine)
    : workload_(workload),
      options_(std::move(options)),
      proxy_(std::make_unique<Proxy>(*this, engine)) {
  options_.device.engine = proxy_.get();
  thread_ = std::thread([this] { run_host_part(); });
}

HostedProgram::~HostedProgram() {
  is_abandoned_ = true;
  give_turn(Turn::host_part);
  thread_.join();
}

const exec::Launch* HostedProgram::resume() {
  launch_ = nullptr;
  give_turn(Turn::host_part);
  wait_for(Turn::caller);
  if (exception_) std::rethrow_exception(std::exchange(exception_, nullptr));
  return launch_;
}

void HostedProgram::give_turn(Turn to) {
  {
    const std::lock_guard lock(mutex_);
    turn_ = to;
  }
  turn_changed_.notify_all();
}

void HostedProgram::wait_for(Turn turn) {
  std::unique_lock lock(mutex_);
  turn_changed_.wait(lock, [&] { return turn_ == turn; });
}

void HostedProgram::run_host_part() {
  for (;;) {
    wait_for(Turn::host_part);
    if (is_abandoned_) return;
    try {
      result_ = run_workload(workload_, options_);
    } catch (const Abandoned&) {
      return;
    } catch (...) {
      exception_ = std::current_exception();
    }
    give_turn(Turn::caller);
  }
}

exec::GridResult HostedProgram::hand_over(const exec::Launch& launch) {
  launch_ = &launch;
  give_turn(Turn::caller);
  wait_for(Turn::host_part);
  if (is_abandoned_) throw Abandoned{};
  return launch_result_;
}

}  // namespace heddle::workload
