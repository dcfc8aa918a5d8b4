#include "base/own_thread.h"

#include <pthread.h>

namespace heddle {

void name_own_thread() { ::pthread_setname_np(::pthread_self(), kOwnThreadName); }

}  // namespace heddle
