// The simulation that the CUDA calls in these tests use: functional only, of the default GPU.

#include <cstdlib>

#include "cuda/runtime/simulation.h"

namespace heddle::cuda {
namespace {

class TestSimulation final : public SimulationInterface {
 public:
  const gpu::Machine& machine() const override { return machine_; }
  exec::Engine* engine() override { return nullptr; }
  exec::AccessObservers* access_observers() override { return nullptr; }
  std::uint32_t max_registers() const override { return 0; }
  std::uint64_t max_instructions() const override { return ~std::uint64_t{0}; }
  double simulated_seconds() const override { return 0; }
  exec::MemoryOptions memory_options() const override { return {}; }
  void begin_launch(const std::string&) override {}
  void end_launch() override {}
  void receive_progress(const exec::GridProgress&) override {}
  exec::GridResult interrupted_result() const override { return {}; }
  void print(std::string_view) override {}
  void report(const ProcessTotals&) override {}
  void explain_crashes(std::vector<CodeRange>, const std::string&) override {}
  void end_by_signal() override { std::abort(); }

 private:
  gpu::Machine machine_;
};

}  // namespace

std::unique_ptr<SimulationInterface> make_simulation() {
  return std::make_unique<TestSimulation>();
}

}  // namespace heddle::cuda
