// Branches back are predicted to be taken, others not: it takes an adder and a comparator (simt
// section 4.4.3).

#include "sm/branch/prediction.h"

namespace heddle::sm {
namespace {

class StaticPrediction final : public Prediction {
 public:
  using Prediction::Prediction;

 private:
  bool predict(WarpSlot, const IssueInfo& instruction, const BranchOutcome&, Cycle) override {
    return instruction.jumps_back;
  }
};

struct StaticParameters {
  static void check(const SmDescription& sm) { check_fetches_ahead(sm); }
};

const BranchRegistry::Entry entry{
    "static", "predicts that branches back are taken, and others not",
    [](const StaticParameters&, const BranchDescription& description) {
      return std::make_unique<StaticPrediction>(description);
    }};

}  // namespace
}  // namespace heddle::sm
