// Next-line prefetching: a miss also fetches the lines that follow (Smith, Cache Memories, ACM
// Computing Surveys 1982, section 2.1: prefetch on miss).

#include "sm/memory/prefetch/prefetcher.h"

namespace heddle::sm {
namespace {

struct NextLineParameters {
  static void storage(config::StorageList& list) { list_prefetch_queue(list); }
};

class NextLine final : public Prefetcher {
 public:
  explicit NextLine(std::uint32_t degree) : degree_(degree) {}

  void observe(const DemandAccess& access, ProposedLines& proposed) override {
    if (access.outcome != DemandAccess::Outcome::miss) return;
    for (std::uint32_t i = 1; i <= degree_; ++i) proposed.push_back(access.line + i);
  }

 private:
  std::uint32_t degree_;
};

const PrefetchRegistry::Entry next_line_entry{
    "next-line", "the lines after a line that missed",
    [](const NextLineParameters&, const PrefetchDescription& description) {
      return std::make_unique<NextLine>(description.degree);
    }};

}  // namespace
}  // namespace heddle::sm
