#include "lab/report/style.h"

namespace heddle::lab::report {
namespace {

// The contrast ratio (WCAG) with the page is at least 3 for the colours of series, and at least 4.5
// for text.
constexpr const char* kColourStyle = R"(
:root {
  color-scheme: light;
  --page: #ffffff; --raised: #f6f7f9; --ink: #1b2330; --quiet: #566072; --rule: #d9dee6;
  --link: #0b5cad; --good: #14703c; --bad: #b3261e; --good-ground: #e3f4e9; --bad-ground: #fdeae8;
  --open-ground: #eceff3; --base: #7a8494;
  --colour-0: #0068a8; --colour-1: #d05a00; --colour-2: #00805e; --colour-3: #b04a93;
  --colour-4: #a07400; --colour-5: #2f8fc4; --colour-6: #6b4fbb; --colour-7: #8a5a44;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    color-scheme: dark;
    --page: #12161d; --raised: #1a2029; --ink: #e6eaf0; --quiet: #a4aebd; --rule: #323b48;
    --link: #7cb8ff; --good: #6fd698; --bad: #ff9a8f; --good-ground: #15301f;
    --bad-ground: #3a1a18; --open-ground: #262d38; --base: #8c97a8;
    --colour-0: #4aa3e8; --colour-1: #f58a3c; --colour-2: #2fbf95; --colour-3: #e08cc4;
    --colour-4: #e3b234; --colour-5: #8fd0f5; --colour-6: #a993f5; --colour-7: #cf9c80;
  }
}
)";

constexpr const char* kPageStyle = R"(* { box-sizing: border-box; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 0 clamp(1rem, 4vw, 2.5rem) 4rem; max-width: 70rem;
  background: var(--page); color: var(--ink); overflow-wrap: anywhere;
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
h1, h2, h3 { line-height: 1.25; text-wrap: balance; }
h1 { margin: 2.5rem 0 .5rem; font-size: 2rem; letter-spacing: -.02em; }
h2 { margin: 0 0 .35rem; font-size: 1.35rem; letter-spacing: -.01em; }
h3 { margin: 2rem 0 .6rem; font-size: 1rem; }
header p { max-width: 44rem; margin: 0 0 2rem; color: var(--quiet); }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
small { display: block; color: var(--quiet); font-size: .8125rem; font-weight: 400; }
td small { display: inline; }
.claims td[data-label="measured"] small { display: block; }
code { font: .875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
nav ol { margin: .5rem 0 0; padding: 0; list-style: none; border-top: 1px solid var(--rule); }
nav li {
  display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 1.5rem; align-items: center;
  padding: .55rem 0; border-bottom: 1px solid var(--rule);
}
nav li small { grid-row: 2; }
nav li .meter { grid-column: 2; grid-row: 1 / span 2; }
.overview { margin-top: 3rem; }
.study { margin-top: 4rem; padding-top: 2rem; border-top: 2px solid var(--rule); }
.source { margin: 0 0 .8rem; color: var(--quiet); }
.meter { display: inline-flex; align-items: center; gap: .6rem; color: var(--quiet);
  font-size: .875rem; white-space: nowrap; }
.meter-bar { width: 5rem; height: .5rem; border-radius: .25rem; overflow: hidden;
  background: var(--bad-ground); box-shadow: inset 0 0 0 1px var(--bad); }
.meter-bar span { display: block; height: 100%; background: var(--good); }
figure { margin: 1rem 0 0; }
figcaption p { margin: .4rem 0 0; color: var(--quiet); font-size: .875rem; }
.scrolling { overflow-x: auto; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .25rem 0 0; padding: 0;
  list-style: none; font-size: .875rem; }
.legend svg { margin-right: .45rem; vertical-align: -3px; }
.legend.stacks { margin-top: .5rem; list-style: decimal inside; }
.legend.stacks li { display: list-item; }
table { border-collapse: collapse; width: 100%; font-size: .875rem;
  font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th, td { padding: .4rem .9rem .4rem 0; border-bottom: 1px solid var(--rule); text-align: left;
  vertical-align: top; }
thead th { color: var(--quiet); font-weight: 600; vertical-align: bottom; }
tbody th { font-weight: 500; }
.figure { text-align: right; white-space: nowrap; }
thead .figure { white-space: normal; }
.mean > * { font-weight: 700; }
.row + .mean > * { border-top: 2px solid var(--quiet); }
.claim { min-width: 15rem; max-width: 34rem; font-weight: 400; }
.claim > code { display: block; color: var(--quiet); }
.claim a > code { display: block; }
.disagreements, .readings { margin: .3rem 0 0; padding-left: 1.1rem; color: var(--quiet); }
.verdict { display: inline-block; padding: .05rem .55rem; border-radius: 1rem; font-weight: 600;
  white-space: nowrap; background: var(--open-ground); color: var(--quiet); }
.verdict.holds { background: var(--good-ground); color: var(--good); }
.verdict.fails { background: var(--bad-ground); color: var(--bad); }
.verdict + small { display: block; margin-top: .2rem; }
details { border-bottom: 1px solid var(--rule); }
summary { padding: .6rem 0; cursor: pointer; font-weight: 500; }
details[open] > summary { margin-bottom: .4rem; }
details > :last-child { margin-bottom: 1rem; }
.parameters { display: grid; grid-template-columns: repeat(auto-fill, minmax(15.5rem, 1fr));
  gap: 0 1.5rem; margin: 0; font-size: .8125rem; }
.parameters div { display: flex; justify-content: space-between; gap: .75rem; padding: .15rem 0;
  border-bottom: 1px solid var(--rule); }
.parameters dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; }
.facts { display: flex; flex-wrap: wrap; gap: .6rem 2rem; margin: 1.2rem 0 0;
  font-size: .8125rem; }
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; }
.repeat { margin: .8rem 0 0; padding: .6rem .8rem; border-radius: .4rem; font-size: .875rem;
  background: var(--raised); color: var(--quiet); }
.repeat code { color: var(--ink); }
.nothing { color: var(--quiet); }
.definitions { position: absolute; }
.chart { display: block; height: auto; max-width: 100%;
  font-size: 12px; }
)";

constexpr const char* kChartStyle = R"(.chart text { fill: var(--ink); }
.chart .mark { text-anchor: end; fill: var(--quiet); }
.chart .label, .chart .stack-number, .chart .part-number, .chart .missing { text-anchor: middle; }
.chart .slanted { text-anchor: end; }
.chart .axis-title { text-anchor: middle; fill: var(--quiet); font-size: 12.5px; }
.chart .stack-number { fill: var(--quiet); font-size: 10px; }
.chart .part-number { font-size: 10.5px; pointer-events: none; }
.chart text.part-number[fill="#fff"] { fill: #fff; }
.chart text.part-number[fill="#000"] { fill: #000; }
.chart .number { font-size: 11px; font-weight: 600; }
.chart .missing { fill: var(--bad); font-size: 14px; font-weight: 700; }
.grid { stroke: var(--rule); }
.axis { stroke: var(--quiet); }
.separator { stroke: var(--quiet); stroke-dasharray: 2 4; }
.baseline { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 6 4; pointer-events: none; }
.bar, .part { stroke: var(--ink); stroke-width: .75; stroke-opacity: .75; }
.whisker { stroke: var(--ink); stroke-width: 1.5; pointer-events: none; }
.texture { fill: none; stroke: var(--page); stroke-width: 1.4; stroke-opacity: .7; }
.line { fill: none; stroke-width: 1.75; stroke-linejoin: round; }
.dashed .line { stroke-dasharray: 7 4; }
.marker { stroke: var(--page); stroke-width: 1; }
.mean-line .line { stroke: var(--ink); stroke-width: 3.25; }
.mean-line .marker { fill: var(--ink); }
.baseline-fill { fill: var(--base); }
.colour-0 { fill: var(--colour-0); } .colour-1 { fill: var(--colour-1); }
.colour-2 { fill: var(--colour-2); } .colour-3 { fill: var(--colour-3); }
.colour-4 { fill: var(--colour-4); } .colour-5 { fill: var(--colour-5); }
.colour-6 { fill: var(--colour-6); } .colour-7 { fill: var(--colour-7); }
.line-0 { stroke: var(--colour-0); fill: var(--colour-0); }
.line-1 { stroke: var(--colour-1); fill: var(--colour-1); }
.line-2 { stroke: var(--colour-2); fill: var(--colour-2); }
.line-3 { stroke: var(--colour-3); fill: var(--colour-3); }
.line-4 { stroke: var(--colour-4); fill: var(--colour-4); }
.line-5 { stroke: var(--colour-5); fill: var(--colour-5); }
.line-6 { stroke: var(--colour-6); fill: var(--colour-6); }
.line-7 { stroke: var(--colour-7); fill: var(--colour-7); }
)";

/// Overrides rules of the other styles, and must therefore follow them.
constexpr const char* kMediaStyle = R"(@media (max-width: 40rem) {
  h1 { font-size: 1.6rem; }
  nav li { grid-template-columns: minmax(0, 1fr); }
  nav li .meter { grid-column: 1; grid-row: auto; }
  .claims thead { display: none; }
  .claims tr { display: block; padding: .6rem 0; border-bottom: 1px solid var(--rule); }
  .claims th, .claims td { display: block; min-width: 0; padding: .1rem 0; border: 0; }
  .claims td::before { content: attr(data-label) ": "; color: var(--quiet); }
  .verdict + small { display: inline; margin-left: .4rem; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  .study { break-before: page; margin-top: 0; border-top: 0; }
  figure, tr, .repeat { break-inside: avoid; }
  h2, h3, summary { break-after: avoid; }
  .scrolling { overflow: visible; }
  .chart { min-width: 0 !important; }
  details::details-content { display: block; content-visibility: visible; block-size: auto; }
  details > summary { margin-bottom: .4rem; }
  summary { list-style: none; }
  table { overflow-wrap: anywhere; }
  th, td { padding: .25rem .6rem .25rem 0; }
  .parameters { grid-template-columns: repeat(3, minmax(0, 1fr)); font-size: 7.5pt; }
  a { color: inherit; text-decoration: none; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)";

constexpr const char* kPictureStyle = R"(
.chart { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
.ground { fill: var(--page); }
.chart .title { font-size: 16px; font-weight: 600; }
.chart .quiet { fill: var(--quiet); }
.peak { fill: var(--ink); stroke: var(--ink); stroke-width: .5; }
)";

}  // namespace

std::string page_style() {
  return std::string(kColourStyle) + kPageStyle + kChartStyle + kMediaStyle;
}

std::string picture_style() { return std::string(kColourStyle) + kChartStyle + kPictureStyle; }

}  // namespace heddle::lab::report
