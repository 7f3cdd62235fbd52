// The run, its words and its times. Whatever the run says is set as text, never as
// markup.
const run = JSON.parse(document.getElementById("run").textContent);
const $ = id => document.getElementById(id);
const root = document.documentElement;

// What the data says, as it may be shown: no control characters, nothing that turns the direction of writing.
const unseen = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const plain = value => String(value ?? "").replace(/[\n\t\u2028\u2029]/g, " ").replace(unseen, "\ufffd");

const began = Date.parse(run.start.time);
const total = Math.max(1, Date.parse(run.result.time) - began);
const at = time => Math.min(total, Math.max(0, Date.parse(time) - began));
const two = n => String(n).padStart(2, "0");
const clock = ms => two(Math.floor(ms / 60000)) + ":" + two(Math.floor(ms / 1000) % 60);
const lasting = ms => {
  const s = Math.round(ms / 1000);
  if (s < 60) return (ms < 9950 ? (ms / 1000).toFixed(1).replace(/\.0$/, "") : s) + "s";
  const h = Math.floor(s / 3600), m = Math.floor(s / 60) % 60;
  return (h ? h + "h" : "") + (m || h ? m + "m" : "") + (s % 60 ? two(s % 60) + "s" : "");
};

// The words, the worst first, with a sign each.
const signs = {Failed: "✗", Failing: "!", Unknown: "?", Terminating: "−", NotFound: "∅", InProgress: "~", Current: "✓"};
const words = Object.keys(signs);
const isWord = word => Object.hasOwn(signs, word);
const wordOf = v => v.standing === "failing" && v.status === "InProgress" ? "Failing" : isWord(v.status) ? v.status : "Unknown";
const named = v => wordOf(v) + (v.status === "Current" && v.confidence === "assumed" ? " (assumed)" : "");
const said = v => plain([v.message, v.wants,
  v.standing === "late" && "its own timeout has passed", v.standing === "ignored" && "ignored",
  v.staleSince && "not seen since " + clock(at(v.staleSince))].filter(Boolean).join("; "));

const element = (tag, className, ...children) => {
  const e = document.createElement(tag);
  if (className) e.className = className;
  e.append(...children);
  return e;
};
const sign = word => {
  const mark = element("span", "mk s s-" + word, signs[word]);
  mark.setAttribute("aria-hidden", "true");
  return mark;
};
