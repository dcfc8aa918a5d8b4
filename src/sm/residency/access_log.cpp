#include "sm/residency/access_log.h"

#include "exec/launch.h"

namespace heddle::sm {

void AccessLog::Entry::forward() const {
  exec::AccessObserver& observer = *access.warp.launch->access_observer;
  if (access.lanes.empty()) return observer.end_warp(access.warp);
  exec::ObservedAccess forwarded = access;
  forwarded.addresses = &addresses;
  observer.access(forwarded);
}

}  // namespace heddle::sm
