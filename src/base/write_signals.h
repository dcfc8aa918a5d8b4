#pragma once

#include <csignal>

namespace heddle {

/// Blocks SIGPIPE and SIGXFSZ in this host thread while the object exists. A failed write (to a
/// pipe without a reader, or beyond the file size limit) then returns an error instead of ending
/// the process.
class WriteSignalBlock {
 public:
  WriteSignalBlock();
  ~WriteSignalBlock();
  WriteSignalBlock(const WriteSignalBlock&) = delete;
  WriteSignalBlock& operator=(const WriteSignalBlock&) = delete;

 private:
  sigset_t blocked_{};
  sigset_t previous_mask_{};
};

}  // namespace heddle
