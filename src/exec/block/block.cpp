#include "exec/block/block.h"

#include <algorithm>
#include <bit>

#include "exec/block/control.h"
#include "exec/execution_profile.h"
#include "exec/fault/fault_report.h"
#include "exec/memory/deferred_atomic.h"
#include "exec/memory/memory_options.h"

namespace heddle::exec {
namespace {

/// The number of vector registers that are needed for `bytes` bytes.
std::size_t registers_for(std::uint64_t bytes) {
  return (bytes + sizeof(VectorRegister) - 1) / sizeof(VectorRegister);
}

/// Returns the first 32-bit word of immediates or constants; null if there are none. The cast drops
/// `const`, but no instruction writes them: the decoder uses neither as a destination.
std::uint32_t* words_of(const std::vector<VectorRegister>& registers) {
  return registers.empty() ? nullptr : const_cast<std::uint32_t*>(registers.front().lane);
}

}  // namespace

Block::Block(const Launch& launch)
    : launch_(launch),
      access_report_{.observer = launch.access_observer, .warp = {.launch = &launch}},
      warps_(launch.warps_per_running_block()) {}

void Block::start(std::uint64_t index) {
  const std::uint32_t running_blocks_per_block =
      launch_.warps_per_block() / launch_.warps_per_running_block();
  index_ = index / running_blocks_per_block;
  first_warp_ = static_cast<std::uint32_t>(index % running_blocks_per_block);
  access_report_.warp.block = index_;
  access_report_.warp.sm = sm_;
  code_ = launch_.code->instructions.data();
  running_warps_ = LaneMask::first_lanes(static_cast<int>(warps_.size())).bits();
  next_turn_ = 0;
  waiting_warps_ = 0;
  barriers_.fill({});
  barriers_in_use_ = 0;
  const code::FunctionInfo& info = launch_.info();
  access_scratch_.resize(keeps_addresses_per_warp_ ? warps_.size() : 1);
  // On hardware, registers and memory keep their old contents. Here they start as zeros, so that
  // every run is the same. One register more than needed is allocated: a pointer to the first
  // register is then valid even for a kernel without registers.
  registers_.assign(std::size_t{info.registers_per_thread} * warps_.size() + 1, VectorRegister{});
  predicates_.assign((std::size_t{info.predicates_per_thread} + 1) * warps_.size(), 0);
  local_.assign(std::size_t{launch_.local_bytes} / 4 * warps_.size(), VectorRegister{});
  static_assert(sizeof(VectorRegister) % kSharedUnit == 0, "blocks have whole units");
  shared_.assign(registers_for(launch_.shared_bytes()), VectorRegister{});

  if (prepared_first_warp_ != first_warp_) prepare_warps();
  const Dim3 position = position_in(launch_.grid, index_);
  for (Warp& warp : warps_) {
    warp.state = Warp::State::running;
    warp.thread_control = nullptr;
    warp.thread_instructions = 0;
    warp.stack.start(info.entry, LaneMask(warp.identity.existing), info.frame_bytes);
    warp.identity.block_x = position.x;
    warp.identity.block_y = position.y;
    warp.identity.block_z = position.z;
    warp.context.predicates[0] = ~std::uint32_t{0};
    warp.context.clock = 0;
    warp.context.nanoseconds = 0;
    enter_function(warp);
  }
}

/// Sets what stays the same from one start() to the next.
void Block::prepare_warps() {
  prepared_first_warp_ = first_warp_;
  const code::FunctionInfo& info = launch_.info();
  const std::size_t predicates = std::size_t{info.predicates_per_thread} + 1;
  const std::size_t local_registers = launch_.local_bytes / 4;
  for (std::size_t w = 0; w < warps_.size(); ++w) {
    Warp& warp = warps_[w];
    const std::uint32_t number = first_warp_ + static_cast<std::uint32_t>(w);
    warp.identity = identity_of(number);
    WarpContext& context = warp.context;
    context.base = {registers_[w * info.registers_per_thread].lane,
                    words_of(launch_.code->immediates), words_of(launch_.constants), nullptr};
    context.predicates = &predicates_[w * predicates];
    context.memory = {
        .global = launch_.memory,
        .textures = launch_.textures,
        .shared = shared_.empty() ? nullptr : reinterpret_cast<std::byte*>(shared_.data()),
        .shared_bytes = launch_.shared_bytes(),
        .local = local_.empty() ? nullptr : local_[w * local_registers].lane,
        .local_bytes = launch_.local_bytes,
        .parameters = launch_.parameters.data(),
        .parameter_bytes = static_cast<std::uint32_t>(launch_.parameters.size()),
        .stores = stores_};
    context.accesses = &access_scratch_[keeps_addresses_per_warp_ ? w : 0];
    context.identity = &warp.identity;
    context.code = launch_.program->instructions.data();
    context.more_sources = launch_.code->more_sources.data();
    context.plain_handlers = launch_.code->plain_handlers.data();
    context.accesses_to = launch_.access_observer != nullptr ? &access_report_ : nullptr;
  }
}

/// The identity of the warp with this number in its block, except for the block's position.
WarpIdentity Block::identity_of(std::uint32_t number) const {
  WarpIdentity identity;
  // The lanes beyond the last thread get positions, too, but never execute.
  Dim3 thread = position_in(launch_.block, std::uint64_t{number} * 32);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    identity.thread_x[lane] = thread.x;
    identity.thread_y[lane] = thread.y;
    identity.thread_z[lane] = thread.z;
    if (++thread.x < launch_.block.x) continue;
    thread.x = 0;
    if (++thread.y < launch_.block.y) continue;
    thread.y = 0;
    ++thread.z;
  }
  identity.warp = number;
  identity.warps_per_block = launch_.warps_per_block();
  identity.sm = sm_;
  identity.sm_count = sm_count_;
  identity.grid_id = launch_.grid_id;
  identity.dynamic_shared_bytes = launch_.dynamic_shared_bytes;
  identity.dynamic_shared_offset = launch_.shared_bytes() - launch_.dynamic_shared_bytes;
  identity.total_shared_bytes = launch_.shared_bytes() - launch_.info().reserved_shared_bytes;
  identity.aggregate_shared_bytes = launch_.shared_bytes();
  const std::uint64_t threads = launch_.block.count() - std::uint64_t{number} * 32;
  identity.existing =
      LaneMask::first_lanes(static_cast<int>(std::min<std::uint64_t>(threads, 32))).bits();
  return identity;
}

std::uint64_t Block::warp_instructions() const {
  std::uint64_t sum = 0;
  for (const Warp& warp : warps_) sum += warp.untimed_instructions();
  return sum;
}

std::uint64_t Block::thread_instructions() const {
  std::uint64_t sum = 0;
  for (const Warp& warp : warps_) sum += warp.thread_instructions;
  return sum;
}

std::uint64_t Block::run(std::uint64_t budget) {
  // The maximum number of instructions that a warp executes before the next warp's turn. It is
  // large, so that the warp's registers stay in the host's cache.
  constexpr std::uint64_t kMaxInstructionsPerTurn = 4096;
  std::uint64_t executed = 0;
  while (executed < budget && !finished()) {
    if (running_warps_ == 0) raise_deadlock();
    Warp& warp = warps_[select_warp()];
    const std::uint64_t before = warp.untimed_instructions();
    run_warp(warp, std::min(kMaxInstructionsPerTurn, budget - executed));
    executed += warp.untimed_instructions() - before;
  }
  return executed;
}

/// Selects a running warp, round-robin, and returns its index. The position is kept from one run()
/// to the next, so that every warp gets its turn even if the budgets are small.
std::uint32_t Block::select_warp() {
  const std::uint32_t from_next =
      running_warps_ & ~LaneMask::first_lanes(static_cast<int>(next_turn_)).bits();
  const int warp = std::countr_zero(from_next != 0 ? from_next : running_warps_);
  next_turn_ = static_cast<std::uint32_t>(warp) + 1;
  return static_cast<std::uint32_t>(warp);
}

void Block::run_warp(Warp& warp, std::uint64_t budget) {
  WarpContext& context = warp.context;
  const std::uint64_t end = context.clock + budget;
  SoloWarp solo(*this, warp);
  Control control(solo);
  std::uint32_t pc = 0;
  try {
    while (warp.state == Warp::State::running && context.clock < end) {
      const ReconvergenceStack::Entry& top = warp.stack.top();
      pc = top.pc;
      const std::uint32_t begin = pc;
      const std::uint32_t reconvergence = top.reconvergence;
      const std::uint32_t mask = top.mask.bits();
      const std::uint64_t clock_before = context.clock;
      enter_path(warp);
      context.nanoseconds = clock_before;

      // Executes straight-line code, at most to the end of the budget.
      const Decoded* decoded = &code_[pc];
      while (!decoded->is_control && context.clock < end) {
        ++context.clock;
        context.active = mask & context.predicate(decoded->guard);
        if (context.active != 0) decoded->handler(context, *decoded);
        ++decoded;
        if (++pc == reconvergence) break;
      }
      const bool at_control = pc != reconvergence && decoded->is_control;
      const bool executes_control = at_control && context.clock < end;
      if (executes_control) ++context.clock;
      const auto threads = static_cast<std::uint32_t>(std::popcount(mask));
      warp.thread_instructions += (context.clock - clock_before) * threads;
      if (launch_.profile != nullptr) {
        launch_.profile->add_stretch(begin, executes_control ? pc + 1 : pc, threads);
      }
      if (executes_control) {
        context.active = mask & context.predicate(decoded->guard);
        warp.stack.top().pc = pc;
        control.execute(*decoded);
        if (!warp.stack.finished()) enter_function(warp);
      } else {
        warp.stack.advance(pc);
      }
      if (warp.stack.finished()) finish_warp(warp);
    }
  } catch (const LaneFault& fault) {
    raise_fault(warp, pc, fault);
  }
}

void Block::step_control(Warp& warp, const Decoded& decoded) {
  SoloWarp solo(*this, warp);
  Control(solo).execute(decoded);
  if (warp.stack.finished()) return finish_warp(warp);
  enter_function(warp);
}

bool Block::step_atomic(Warp& warp, DeferredAtomic& atomic) {
  const Decoded& decoded = enter(warp);
  if (!capture_atomic(warp, decoded.index, atomic)) return false;
  skip(warp, decoded);
  return true;
}

bool Block::capture_atomic(Warp& warp, std::uint32_t pc, DeferredAtomic& atomic) {
  try {
    return atomic.capture(warp.context, code_[pc]);
  } catch (const LaneFault& fault) {
    raise_fault(warp, pc, fault);
  }
}

void Block::raise_deadlock() const {
  std::vector<WarpStatus> statuses;
  add_statuses(*this, statuses);
  throw deadlock_fault(*this, statuses);
}

void Block::raise_fault(const Warp& warp, std::uint32_t pc, const LaneFault& fault) const {
  throw lane_fault(*this, warp, pc, fault);
}

void Block::finish_warp(Warp& warp) {
  warp.state = Warp::State::finished;
  running_warps_ &= ~bit_of(warp);
  if (warp.context.accesses_to != nullptr) report_warp_end(warp.context);
  // Barriers without a thread count no longer wait for this warp.
  for (std::uint32_t used = barriers_in_use_; used != 0; used &= used - 1) {
    const auto id = static_cast<std::uint32_t>(std::countr_zero(used));
    if (barriers_[id].is_complete(unfinished_threads())) release_barrier(id);
  }
}

}  // namespace heddle::exec
