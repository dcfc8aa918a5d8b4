#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "config/answer_parameters.h"
#include "config/declarations.h"
#include "config/storage_list.h"

namespace heddle::sm {

struct ScheduleDescription {
  std::string policy = "round-robin";
  std::uint32_t schedulers = 1;
  std::uint32_t interval = 1;
  config::AnswerParameters own{};

  void declare(config::Declarations& parameters);
  void storage(config::StorageList& list) const;
  /// Whether it goes by how warps are formed (Scheduler::formed), and has nothing else to go by.
  bool goes_by_formation() const;
  /// Whether warps are suspended where the compiler says so (SchedulerProperties).
  bool suspends_by_marks() const;
  /// Throws InputError for what `warps` on a multiprocessor cannot have; `which` says where their
  /// number is from.
  void check(std::uint32_t warps, std::string_view which) const;
};

}  // namespace heddle::sm
