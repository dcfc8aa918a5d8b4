// No branch is mispredicted: the bound beside the predictors of simt's Figure 45. What does not say
// where it goes is not predicted here, either.

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
    "perfect", "predicts every branch rightly: a bound",
    [](const PredictionParameters&, const BranchDescription& description) {
      return std::make_unique<PerfectPrediction>(description);
    }};

}  // namespace
}  // namespace heddle::sm
