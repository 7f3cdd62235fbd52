// The tree: objects, and the chains from them down to what is wrong.
const twigOf = (word, name, text, key) => ({word, name, text, key, children: new Map()});

// chainOf returns the chain of a cause as twigs, a container below its Pod.
const chainOf = cause => (cause.chain || []).flatMap((link, depth, all) => {
  const word = isWord(link.status) ? link.status : depth === all.length - 1 ? "Failed" : "Unknown";
  const key = keyOf(link.id), within = "container " + link.container;
  const said = link.text || link.status, text = plain(said.startsWith(within) ? said.slice(within.length).replace(/^:? /, "") : said);
  const part = twigOf(word, plain(link.id.kind + "/" + nameOf(link.id)), link.container ? "" : text, key);
  return link.container ? [part, twigOf(word, plain("container " + link.container), text, key + " " + link.container)] : [part];
});

const grow = () => {
  const tops = [], folded = new Map();
  for (const o of state.shown) {
    if (o.word === "Current" && !o.causes.length) {
      const space = plain(o.data.id.namespace || "without namespace");
      if (!folded.has(space)) folded.set(space, []);
      folded.get(space).push(o);
      continue;
    }
    const top = twigOf(o.word, o.kind + "/" + o.name, o.message, o.key);
    for (const i of o.causes) {
      let twig = top;
      for (const part of chainOf(run.causes[i])) {
        if (part.key === o.key) continue;
        if (!twig.children.has(part.key)) twig.children.set(part.key, part);
        twig = twig.children.get(part.key);
      }
      const text = plain(run.causes[i].text);
      if (twig.text !== text) twig.children.set("cause " + i, twigOf("", "because", text, "cause-" + i));
    }
    tops.push(top);
  }
  for (const [space, all] of [...folded].sort(([x], [y]) => x.localeCompare(y))) {
    const top = twigOf("Current", all.length + " current", space, "");
    top.folded = true;
    for (const o of all) top.children.set(o.key, twigOf(o.word, o.kind + "/" + o.name, o.data.confidence === "assumed" ? o.message : "", o.key));
    tops.push(top);
  }
  return tops;
};

const makeNode = (twig, level) => {
  const node = element("div", "node", element("span", "twig"));
  if (twig.word) node.append(sign(twig.word));
  const heard = twig.word && !twig.folded ? [element("span", "sr", twig.word + " ")] : [];
  node.append(...heard, element("span", "name", twig.name), " ", element("span", "what", twig.text));
  const item = element("li", "", node);
  item.setAttribute("role", "treeitem");
  item.setAttribute("aria-level", level);
  item.setAttribute("aria-selected", "false");
  item.tabIndex = -1;
  item.twig = twig;
  if (twig.children.size) {
    item.setAttribute("aria-expanded", String(!twig.folded));
    if (!twig.folded) fill(item, level);
  }
  return item;
};
const fill = (item, level) => {
  const group = element("ul", "", ...[...item.twig.children.values()].map(t => makeNode(t, level + 1)));
  group.setAttribute("role", "group");
  item.append(group);
};
const drawTree = () => {
  const items = grow().map(t => makeNode(t, 1));
  $("nodes").replaceChildren(...items.length ? items : [element("li", "empty", "No object is like that.")]);
  if (items.length) items[0].tabIndex = 0;
};
const unfold = (item, open) => {
  if (!item.hasAttribute("aria-expanded")) return;
  if (open && !item.querySelector("ul")) fill(item, Number(item.getAttribute("aria-level")));
  item.setAttribute("aria-expanded", String(open));
};
const step = (from, to) => {
  if (!to) return;
  from.tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
};
const listenTree = () => {
  const nodes = $("nodes");
  const visible = () => [...nodes.querySelectorAll('[role="treeitem"]')].filter(i => !i.parentElement.closest('[aria-expanded="false"]'));
  nodes.addEventListener("click", e => {
    const item = e.target.closest('[role="treeitem"]');
    if (!item) return;
    step(nodes.querySelector('[tabindex="0"]') || item, item);
    if (item.hasAttribute("aria-expanded")) unfold(item, item.getAttribute("aria-expanded") === "false");
    else go(item.twig.key);
  });
  nodes.addEventListener("keydown", e => {
    const item = e.target.closest('[role="treeitem"]');
    if (!item) return;
    const all = visible(), i = all.indexOf(item), open = item.getAttribute("aria-expanded");
    if (e.key === "ArrowDown") step(item, all[i + 1]);
    else if (e.key === "ArrowUp") step(item, all[i - 1]);
    else if (e.key === "Home") step(item, all[0]);
    else if (e.key === "End") step(item, all[all.length - 1]);
    else if (e.key === "ArrowRight" && open === "false") unfold(item, true);
    else if (e.key === "ArrowRight" && open === "true") step(item, all[i + 1]);
    else if (e.key === "ArrowLeft" && open === "true") unfold(item, false);
    else if (e.key === "ArrowLeft") step(item, item.parentElement.closest('[role="treeitem"]'));
    else return;
    e.preventDefault();
  });
  // Not before the key is up, or it would press what it leads to as well.
  nodes.addEventListener("keyup", e => {
    if (e.key === "Enter" && e.target.twig) go(e.target.twig.key);
  });
};
