#pragma once

// The results of a campaign of injected faults, as text and as JSON.

#include <nlohmann/json.hpp>

#include "lab/fault_campaign.h"

namespace heddle {

void print_faults(const lab::FaultCampaign& campaign, const lab::FaultCampaignResult& result);
nlohmann::ordered_json faults_to_json(const lab::FaultCampaign& campaign,
                                      const std::vector<std::string>& settings,
                                      const lab::FaultCampaignResult& result);

}  // namespace heddle
