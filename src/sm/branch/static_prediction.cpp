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

const BranchRegistry::Entry static_prediction_entry{
    "static", "predicts that branches back are taken, and others not",
    [](const PredictionParameters&, const BranchDescription& description) {
      return std::make_unique<StaticPrediction>(description);
    }};

}  // namespace
}  // namespace heddle::sm
