"use strict";
// Script of all pages: draws charts in the width of their places, highlights series, sorts tables, and changes the theme.
(() => {
  const root = document.documentElement;
  const status = document.getElementById("status");
  const say = (text) => { status.textContent = text; };
  const each = (selector, act) => document.querySelectorAll(selector).forEach(act);

  // The theme. A browser may refuse to store the choice for a page opened from a file.
  const themes = ["system", "light", "dark"];
  const kept = (value) => {
    try {
      if (value) localStorage.setItem("sledsim-theme", value);
      return localStorage.getItem("sledsim-theme");
    } catch { return value; }
  };
  const theme = document.getElementById("theme");
  const show = (name) => {
    if (name === "system") delete root.dataset.theme; else root.dataset.theme = name;
    theme.textContent = `Theme: ${name}`;
  };
  let chosen = themes.includes(kept()) ? kept() : "system";
  show(chosen);
  theme.hidden = false;
  theme.addEventListener("click", () => {
    chosen = themes[(themes.indexOf(chosen) + 1) % themes.length];
    kept(chosen);
    show(chosen);
  });

  // The button that copies the command.
  const copy = document.getElementById("copy");
  if (copy) {
    copy.hidden = false;
    copy.addEventListener("click", async () => {
      const command = document.getElementById("command");
      try {
        await navigator.clipboard.writeText(command.textContent);
        say("The command has been copied.");
      } catch {
        getSelection().selectAllChildren(command);
        say("The command could not be copied, and has been selected instead.");
      }
    });
  }

  // Tables: each heading is a button that sorts by its column.
  const sort = (heading, at) => {
    const ascending = heading.getAttribute("aria-sort") !== "ascending";
    const body = heading.closest("table").tBodies[0];
    const key = (row) => row.cells[at].dataset.key ?? row.cells[at].textContent;
    // Missing values come last in both orders.
    const order = (a, b) => {
      const missing = (key(a) === "") - (key(b) === "");
      if (missing) return missing;
      const numbers = "key" in a.cells[at].dataset;
      const found = numbers ? key(a) - key(b) : key(a).localeCompare(key(b), undefined, {numeric: true});
      return ascending ? found : -found;
    };
    body.append(...[...body.rows].sort(order));
    for (const other of heading.parentNode.cells) other.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  };
  each("table.sortable", (table) => {
    if (table.tBodies[0].rows.length < 2) return;
    [...table.tHead.rows[0].cells].forEach((heading, at) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = heading.textContent;
      heading.replaceChildren(button);
      heading.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => sort(heading, at));
    });
  });

  // Charts.
  const source = document.getElementById("charts");
  if (!source) return;
  const charts = JSON.parse(source.textContent);
  const views = new Map();
  const NARROW = 520, LETTER = 7;

  // Break the title of an axis into lines if it is longer than the axis.
  const broken = (text, pixels) => {
    const lines = [""];
    for (const word of text.split(" ")) {
      const line = `${lines.at(-1)} ${word}`.trim();
      if (line.length * LETTER > pixels && lines.at(-1)) lines.push(word); else lines[lines.length - 1] = line;
    }
    return lines;
  };
  const fitted = (part, width) => {
    for (const name of ["x", "y"]) {
      const channel = part.encoding?.[name];
      const room = name === "x" ? width - 80 : part.height ?? 260;
      if (typeof channel?.title === "string" && typeof room === "number") channel.title = broken(channel.title, room);
    }
    for (const layer of part.layer ?? []) fitted({...layer, height: part.height}, width);
  };
  // Place as many panels side by side as the width allows.
  const panelled = (chart, width) => {
    const least = 170;
    const columns = Math.max(1, Math.min(Math.floor(width / least), 8));
    chart.columns = columns;
    chart.spec.width = Math.max(90, Math.floor((width - 75) / columns) - 22);
  };
  const draw = async (place) => {
    const box = document.getElementById(place);
    const width = box.clientWidth;
    const chart = structuredClone(charts[place]);
    const narrow = width < NARROW;
    // Legends without buttons are stacked below the chart, each in as many columns as fit.
    const legend = chart.config.legend;
    if (narrow || legend.orient === "bottom") {
      const columns = Math.max(1, Math.floor(width / 110));
      Object.assign(legend, {orient: "bottom", columns, titleLimit: width, labelLimit: width - 60});
      legend.layout = {bottom: {direction: "vertical", anchor: "start"}};
    }
    if (chart.facet?.field && chart.spec) panelled(chart, width);
    if (chart.width === "container") fitted(chart, width);
    if (chart.usermeta?.aspect) {
      chart.width = Math.min(width - 100, chart.usermeta.most);
      chart.height = Math.round(chart.width * chart.usermeta.aspect);
    }
    const made = await vegaEmbed(box, chart, {
      mode: "vega-lite", renderer: "svg", actions: false, ast: true, defaultStyle: false,
      tooltip: {disableDefaultStyle: true, theme: "house"},
    });
    views.get(place)?.result.finalize();
    views.set(place, {result: made, width});
    const field = box.closest("figure").dataset.field;
    if (field) {
      made.view.addEventListener("mouseover", (_, item) => {
        const name = item?.datum?.[field] ?? item?.mark?.items?.[0]?.datum?.[field];
        if (name !== undefined) light([String(name)], field);
      });
      made.view.addEventListener("mouseout", () => light(pressed(field), field));
      if (pressed(field).length) light(pressed(field), field);
    }
  };

  // Highlight the chosen series in all charts of the page that have them.
  const buttons = (field) => [...document.querySelectorAll(`.legend[data-field="${CSS.escape(field)}"] [data-name]`)];
  const pressed = (field) => [...new Set(
    buttons(field).filter((one) => one.getAttribute("aria-pressed") === "true").map((one) => one.dataset.name))];
  const light = (names, field) => {
    for (const [place, {result}] of views) {
      if (document.getElementById(place).closest("figure").dataset.field === field)
        result.view.signal("lit", names).runAsync();
    }
  };
  const press = (names, field, on) => {
    for (const one of buttons(field)) if (names.includes(one.dataset.name)) one.setAttribute("aria-pressed", String(on));
    const now = pressed(field);
    each(`.legend[data-field="${CSS.escape(field)}"] .group`, (group) => {
      group.setAttribute("aria-pressed", String(JSON.parse(group.dataset.names).every((name) => now.includes(name))));
    });
    light(now, field);
    say(now.length ? `Highlighted: ${now.join(", ")}.` : "No series is highlighted.");
  };
  each(".legend button", (button) => {
    const field = button.closest(".legend").dataset.field;
    const names = button.dataset.names ? JSON.parse(button.dataset.names) : [button.dataset.name];
    button.addEventListener("click", () => press(names, field, button.getAttribute("aria-pressed") !== "true"));
    for (const event of ["mouseenter", "focus"]) button.addEventListener(event, () => light([...pressed(field), ...names], field));
    for (const event of ["mouseleave", "blur"]) button.addEventListener(event, () => light(pressed(field), field));
  });

  // A saved picture has resolved colours, as the CSS variables exist only in the page.
  const colour = (name) => {
    const probe = document.createElement("i");
    probe.style.color = `var(${name})`;
    document.body.append(probe);
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found;
  };
  each(".save", (button) => {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const text = (await views.get(button.dataset.place).result.view.toSVG()).replace(/var\((--\w+)\)/g, (_, name) => colour(name));
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], {type: "image/svg+xml"}));
      link.download = `${button.dataset.place}.svg`;
      link.click();
      URL.revokeObjectURL(link.href);
      say("The picture has been saved.");
    });
  });

  const drawAll = async () => { for (const place of Object.keys(charts)) await draw(place); };
  let waiting;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      for (const [place, {width}] of views) if (document.getElementById(place).clientWidth !== width) await draw(place);
      root.dataset.drawn = innerWidth;
    }, 150);
  });
  drawAll().then(() => { root.dataset.drawn = innerWidth; }, (error) => { console.error(error); say("The charts cannot be drawn."); });
})();
