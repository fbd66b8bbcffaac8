// Sliders that set the parameters of a device.

import { get } from "./choices";
import type { Device, Key } from "./wire";

const STEPS = 1000;
/** Factor by which a slider goes below and above a value that has no plausible range. */
const FACTOR = 4;

interface Range {
  low: number;
  high: number;
  isLog: boolean;
}

/** Return the range of a slider: the plausible range of the parameter, or else a range around its value. */
function rangeOf(key: Key, device: Device): Range | undefined {
  const value = device.parameters[key.name];
  if (typeof value !== "number" || value <= 0) return undefined;
  const { low = null, high = null, is_log = false } = device.certainty[key.name] ?? {};
  const within = (end: number) => Math.min(Math.max(end, key.least ?? end), key.most ?? end);
  if (low !== null && high !== null) return { low, high, isLog: is_log === true };
  return { low: within(value / FACTOR), high: within(value * FACTOR), isLog: true };
}

const hasRange = (key: Key, device: Device): boolean => {
  const certainty = device.certainty[key.name];
  return certainty?.low !== null && certainty?.low !== undefined && rangeOf(key, device) !== undefined;
};

const rounded = (value: number, isWhole: boolean) => (isWhole ? Math.round(value) : Number(value.toPrecision(4)));

interface Slider {
  box: HTMLElement;
  /** Show a value that another control has set; undefined shows the device's own value. */
  show: (value: string | undefined) => void;
}

/** Build slider, field and meaning of a parameter; `set` is called with a new value, or undefined for the own one. */
function slider(key: Key, device: Device, now: string | undefined, set: (value: string | undefined) => void, place: string): Slider {
  const own = device.parameters[key.name];
  const box = document.createElement("div");
  box.className = "slider";
  box.dataset["name"] = key.name;
  const line = document.createElement("div");
  line.className = "line";
  const label = document.createElement("label");
  label.htmlFor = `${place}-${key.name}`;
  label.textContent = key.unit ? `${key.name} (${key.unit})` : key.name;
  const field: HTMLInputElement | HTMLSelectElement = document.createElement(key.choices ? "select" : "input");
  field.id = label.htmlFor;
  for (const [name, meaning] of key.choices ?? []) {
    const option = new Option(name, name);
    option.title = meaning;
    field.append(option);
  }
  const about = document.createElement("p");
  about.id = `${field.id}-about`;
  about.textContent = key.meaning;
  field.title = key.range ?? "";
  field.setAttribute("aria-describedby", about.id);
  line.append(label, field);
  box.append(line);
  const told = (value: string) => {
    const isOwn = value.trim() === "" || value === String(own);
    box.classList.toggle("is-set", !isOwn);
    set(isOwn ? undefined : value.trim());
  };
  let slide = () => {};
  const show = (value: string | undefined) => {
    field.value = value ?? String(own ?? "");
    box.classList.toggle("is-set", value !== undefined);
    slide();
  };
  const range = rangeOf(key, device);
  if (range && range.high > range.low) {
    const { low, high, isLog } = range;
    const share = (value: number) => (isLog ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low));
    const value = (at: number) => rounded(isLog ? low * (high / low) ** at : low + (high - low) * at, key.is_whole || Number.isInteger(own) && low >= 1 && Number.isInteger(low));
    const handle = document.createElement("input");
    handle.type = "range";
    [handle.min, handle.max, handle.step] = ["0", String(STEPS), "1"];
    slide = () => {
      handle.value = String(Math.round(share(Number(field.value)) * STEPS));
      handle.setAttribute("aria-valuetext", `${field.value} ${key.unit}`);
    };
    handle.setAttribute("aria-label", `${key.name}, slider`);
    handle.addEventListener("input", () => {
      field.value = String(value(Number(handle.value) / STEPS));
      handle.setAttribute("aria-valuetext", `${field.value} ${key.unit}`);
      told(field.value);
    });
    box.append(handle);
  }
  field.addEventListener("change", () => {
    slide();
    told(field.value);
  });
  box.append(about);
  show(now);
  return { box, show };
}

/** Show sliders of the uncertain and of all parameters; they set values in `given`, and then call `changed`. */
export function showSliders(keys: Key[], device: Device, given: Record<string, string>, changed: () => void): void {
  // An uncertain parameter has two sliders: among the uncertain ones, and among all.
  const made: [string, Slider][] = [];
  const grid = (chosen: Key[], place: string) => {
    const box = document.createElement("div");
    box.className = "sliders";
    for (const key of chosen) {
      const { name } = key;
      const set = (value: string | undefined) => {
        if (value === undefined) delete given[name];
        else given[name] = value;
        made.filter(([other, one]) => other === name && one !== mine).forEach(([, one]) => one.show(value));
        changed();
      };
      const mine = slider(key, device, given[name], set, place);
      made.push([name, mine]);
      box.append(mine.box);
    }
    return box;
  };
  const uncertain = keys.filter((one) => hasRange(one, device));
  get("about").textContent = `${device.description}. ${uncertain.length > 0 ? "The values below are uncertain; each slider covers the plausible range." : ""}`;
  get("sliders").replaceChildren(grid(uncertain, "some"));
  get("all").replaceChildren(grid(keys, "all"));
  find();
}

/** Hide all parameters whose name and meaning do not contain the search text. */
export function find(): void {
  const wanted = get<HTMLInputElement>("find").value.toLowerCase();
  for (const box of get("all").querySelectorAll<HTMLElement>(".slider")) box.hidden = !box.textContent!.toLowerCase().includes(wanted);
}
