#include "sm/memory/crossbar_interface.h"

namespace heddle::sm {
namespace {

const trace::Kind kResponded{
    "response_received", "a response has passed the multiprocessor's port", {{"request"}}};

}  // namespace

void CrossbarInterface::note(const ResponsePort::ReceivedResponse& response) {
  log_->note({.at = response.at, .kind = &kResponded, .values = {response.token}});
}

void CrossbarInterface::declare(CounterList& counters) {
  counters.part("crossbar_out", sender_);
  counters.part("crossbar_in", responses_);
}

}  // namespace heddle::sm
