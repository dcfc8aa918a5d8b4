// Static prediction: backward branches are predicted taken, all others not taken. In hardware, this
// costs an adder and a comparator (Xiang, Toward Efficient SIMT Execution, section 4.4.3).

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
    "static", "predicts backward branches taken, and others not taken",
    [](const PredictionParameters&, const BranchDescription& description) {
      return std::make_unique<StaticPrediction>(description);
    }};

}  // namespace
}  // namespace heddle::sm
