#include "lab/report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "lab/report/markup.h"
#include "lab/report/palette.h"
#include "lab/report/section.h"
#include "lab/report/style.h"
#include "lab/report/tables.h"

namespace heddle::lab::report {
namespace {

/// The Content-Security-Policy, which keeps a browser from loading or running anything that a title
/// might contain.
constexpr const char* kPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/// By study: the HTML id of its section. Names of studies may repeat and may contain any character;
/// ids are unique.
std::vector<std::string> ids_of(const std::vector<Study>& studies) {
  std::vector<std::string> ids;
  std::set<std::string> used;
  for (const Study& study : studies) {
    std::string id = "study-" + study.name;
    for (char& c : id) {
      if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '-';
    }
    std::string unique = id;
    for (int i = 2; !used.insert(unique).second; ++i) unique = fmt::format("{}-{}", id, i);
    ids.push_back(unique);
  }
  return ids;
}

std::string link(const std::string& id, const std::string& content) {
  return element("a", {{"href", "#" + id}}, content);
}

std::string contents(const std::vector<Study>& studies, const std::vector<std::string>& ids) {
  std::string items;
  for (std::size_t i = 0; i < studies.size(); ++i) {
    const Study& study = studies[i];
    const std::string place = study.figure.empty() ? "" : study.figure;
    items += element(
        "li", {},
        link(ids[i], text(study.title)) +
            element("small", {},
                    text(place.empty() ? study.name : fmt::format("{} · {}", place, study.name))) +
            claim_meter(study.count_claims()));
  }
  return element("nav", {{"aria-labelledby", "contents"}},
                 element("h2", {{"id", "contents"}}, "Contents") + element("ol", {}, items));
}

std::string overview_row(const Study& study, const std::string& id, const StudyClaim& study_claim) {
  return element("tr", {},
                 element("th", {{"scope", "row"}, {"class", "claim"}},
                         link(id, element("code", {}, text(study_claim.claim.id))) +
                             element("span", {}, text(study_claim.claim.text))) +
                     element("td", {{"data-label", "figure"}},
                             text(study.figure.empty() ? study.name : study.figure)) +
                     claim_cells(study, study_claim, ""));
}

std::string overview(const std::vector<Study>& studies, const std::vector<std::string>& ids) {
  ClaimCount count;
  std::string rows;
  for (std::size_t i = 0; i < studies.size(); ++i) {
    count += studies[i].count_claims();
    for (const StudyClaim& claim : studies[i].claims) {
      rows += overview_row(studies[i], ids[i], claim);
    }
  }
  if (rows.empty()) return "";
  std::string headings;
  for (const char* const name : {"claim", "figure", "reported", "measured", "verdict"}) {
    headings += element("th", {{"scope", "col"}}, name);
  }
  const std::string table = element(
      "table", {}, element("thead", {}, element("tr", {}, headings)) + element("tbody", {}, rows));
  return element("section", {{"class", "overview"}, {"aria-labelledby", "claims"}},
                 element("h2", {{"id", "claims"}}, "Claims of all experiments") +
                     claim_meter(count) +
                     scrolling("All claims", element("div", {{"class", "claims"}}, table)));
}

}  // namespace

std::string page(const std::vector<Study>& studies) {
  const std::vector<std::string> ids = ids_of(studies);
  std::string sections;
  for (std::size_t i = 0; i < studies.size(); ++i) sections += section(studies[i], ids[i]);
  const std::string title = fmt::format("Heddle: {} {}", studies.size(),
                                        studies.size() == 1 ? "experiment" : "experiments");
  const std::string head =
      leaf("meta", {{"charset", "utf-8"}}) +
      leaf("meta", {{"http-equiv", "Content-Security-Policy"}, {"content", kPolicy}}) +
      leaf("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}}) +
      leaf("meta", {{"name", "color-scheme"}, {"content", "light dark"}}) +
      // Without an icon, a browser would request one.
      leaf("link", {{"rel", "icon"}, {"href", "data:,"}}) + element("title", {}, text(title)) +
      element("style", {}, page_style());
  const std::string introduction =
      element("h1", {}, text(title)) +
      element(
          "p", {},
          "The results of the simulations, drawn as in the papers, and compared with their claims. "
          "The numbers and the machine of each chart are folded below it.");
  const std::string body =
      fill_definitions() + element("header", {}, introduction) +
      element("main", {}, contents(studies, ids) + overview(studies, ids) + sections);
  return "<!DOCTYPE html>\n" +
         element("html", {{"lang", "en"}},
                 element("head", {}, head) + "\n" + element("body", {}, body)) +
         "\n";
}

}  // namespace heddle::lab::report
