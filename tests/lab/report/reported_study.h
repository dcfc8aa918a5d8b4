#pragma once

#include <string>

#include "lab/report/study.h"

namespace heddle::lab::report {

/// The JSON of a study: three workloads on a base and a better variant, relative to the base.
inline std::string study_json() {
  return R"({
    "schema": "heddle-experiment-2", "experiment": "folder/study", "title": "A study",
    "paper": "A paper", "figure": "Figure 1", "command": "heddle experiment folder/study",
    "heddle": {"version": "1.2", "sources": "abcdef"}, "simulated_at": "2026-01-02T03:04:05Z",
    "metric": "ipc", "better": "higher", "normalised_to": "base", "mean": "geometric", "seed": 1,
    "chart": {"kind": "bars", "x": "", "y": "speed"}, "parts": [],
    "parameters": {"chip.sms": 1, "l1.present": true},
    "variants": [
      {"name": "base", "machine": "m", "set": [], "best_of": [], "hidden": false,
       "parameters": {"schedule.policy": "a"}},
      {"name": "tried", "machine": "m", "set": ["x=1"], "best_of": [], "hidden": true,
       "parameters": {"schedule.policy": "b"}},
      {"name": "better", "machine": null, "set": [], "best_of": ["base", "tried"],
       "hidden": false, "parameters": {}}],
    "groups": [],
    "rows": [
      {"label": "bfs", "workload": "bfs", "size": "tiny", "group": "", "set": [],
       "values": {"base": 1, "tried": 0.25, "better": 0.5}, "best": {"better": "tried"}},
      {"label": "scan", "workload": "scan", "size": "tiny", "group": "", "set": ["y=2"],
       "values": {"base": 1, "tried": 2, "better": 2}, "best": {"better": "base"}},
      {"label": "needle", "workload": "needle", "size": "tiny", "group": "", "set": [],
       "values": {"base": 1, "tried": null, "better": null}, "best": {}}],
    "means": [{"name": "geometric mean", "group": "",
               "values": {"base": 1, "tried": null, "better": 1.5}}],
    "claims": [
      {"id": "c.gain", "text": "a gain", "kind": "gain", "variant": "better",
       "relative_to": "base", "workload": null, "group": null, "metric": null, "within": null,
       "reported": 0.4, "measured": 0.5, "sign": true, "order": null, "classes": null,
       "magnitude": true, "holds": true},
      {"id": "c.order", "text": "an order", "kind": "order", "variant": null,
       "relative_to": "base", "reported": ["better", "base"], "measured": [1.5, 1],
       "sign": null, "order": false, "classes": null, "magnitude": null, "holds": false},
      {"id": "c.classes", "text": "classes", "kind": "classes", "variant": "base",
       "bounds": [2], "names": ["low", "high"], "reported": {"bfs": "high", "needle": "low"},
       "measured": {"bfs": {"class": "low", "value": 1}, "needle": {"class": null, "value": null}},
       "sign": null, "order": null, "classes": false, "magnitude": null, "holds": false}]
  })";
}

/// The JSON of study_json() with the text `old` replaced, which must occur in it.
inline std::string study_json(const std::string& old, const std::string& replacement) {
  std::string json = study_json();
  return json.replace(json.find(old), old.size(), replacement);
}

/// The JSON of study_json() with two seeds. One contradicts the first claim. On bfs, the better
/// variant has 0.25 with one seed and 0.75 with the other.
inline std::string seeded_json() {
  std::string json = study_json("\"seed\": 1,", "\"seed\": 1, \"seeds\": 2,");
  const auto insert_after = [&](const std::string& where, const std::string& more) {
    json.insert(json.find(where) + where.size(), more);
  };
  insert_after(R"("values": {"base": 1, "tried": 0.25, "better": 0.5},)",
               R"("least": {"base": 1, "better": 0.25}, "most": {"base": 1, "better": 0.75},)");
  insert_after(R"("magnitude": true, "holds": true)",
               R"(, "seeds": [{"measured": 0.1, "sign": true, "magnitude": false},
                       {"measured": 0.7, "sign": true, "magnitude": true}])");
  return json;
}
inline Study seeded_study() { return read_study(seeded_json(), "study.json"); }

/// Adds another reading of the first claim, in which it does not hold.
inline std::string with_reading(std::string json) {
  const std::string where = R"("magnitude": true, "holds": true)";
  return json.insert(json.find(where) + where.size(),
                     R"(, "readings": [{"text": "the arithmetic mean", "kind": "gain",
                         "variant": "better", "reported": 0.4, "measured": 0.05, "sign": true,
                         "magnitude": false, "holds": false}])");
}

inline Study reported_study() { return read_study(study_json(), "study.json"); }

}  // namespace heddle::lab::report
