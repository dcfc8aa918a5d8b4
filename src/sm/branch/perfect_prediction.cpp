// Perfect prediction: no conditional branch is mispredicted. It is the upper bound for predictors
// in Figure 45 of Xiang, Toward Efficient SIMT Execution. Like the other predictors, it does not
// predict indirect branches.

#include "sm/branch/prediction.h"

namespace heddle::sm {
namespace {

class PerfectPrediction final : public Prediction {
 public:
  using Prediction::Prediction;

 private:
  bool predict(WarpSlot, const IssueInfo&, const BranchOutcome& outcome, Cycle) override {
    return outcome.taken;
  }
};

const BranchRegistry::Entry perfect_prediction_entry{
    "perfect", "predicts every conditional branch correctly: an upper bound",
    [](const PredictionParameters&, const BranchDescription& description) {
      return std::make_unique<PerfectPrediction>(description);
    }};

}  // namespace
}  // namespace heddle::sm
