// Controls of the page: lists of devices, policies, workloads and speeds, and the switch of the theme.

import { SPEEDS, type State } from "./state";
import type { Tables } from "./wire";

export const get = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
export const text = (id: string): string => get(id).textContent!;

function options(id: string, rows: { name: string; says: string }[], chosen: string): void {
  const select = get<HTMLSelectElement>(id);
  const known = rows.some(({ name }) => name === chosen) ? rows : [{ name: chosen, says: chosen }, ...rows];
  select.replaceChildren(...known.map(({ name, says }) => {
    const option = new Option(name || "none", name);
    option.title = says;
    return option;
  }));
  select.value = chosen;
}

const spoken = (speed: number) => (speed < 1 ? `1/${Math.round(1 / speed).toLocaleString("en")}` : speed === 1 ? "real time" : `${speed} times real time`);

/** Fill the lists of the controls, and set each control to its value in the state. */
export function choices(tables: Tables, state: State): void {
  options("device", tables.devices.map(({ name, description }) => ({ name, says: description })), state.device);
  const policies = tables.tables["schedulers"]!.map(({ name, summary }) => ({ name, says: summary }));
  options("policy-0", policies, state.policies[0]!);
  options("policy-1", [{ name: "", says: "a single policy" }, ...policies], state.policies[1] ?? "");
  get<HTMLInputElement>("workload").value = state.trace || state.workload;
  get<HTMLInputElement>("scale").value = String(state.scale);
  const names = tables.tables["workloads"]!.map(({ name, options: of }) => `${name}${of.some((one) => one.name === "rate") ? ":rate=900,count=2000,seed=1" : ""}`);
  get("workloads").replaceChildren(...names.map((name) => new Option(name, name)));
  const speeds = [...new Set([...SPEEDS, state.speed])].sort((a, b) => a - b);
  get<HTMLSelectElement>("speed").replaceChildren(...speeds.map((speed) => new Option(spoken(speed), String(speed))));
  get<HTMLSelectElement>("speed").value = String(state.speed);
}

/** Set up the switch of the theme; a browser may refuse to store the choice for a page in a local file. */
export function theme(redraw: () => void): void {
  const names = ["system", "light", "dark"];
  const kept = (given?: string) => {
    try {
      if (given) localStorage.setItem("sledsim-theme", given);
      return localStorage.getItem("sledsim-theme");
    } catch {
      return given ?? null;
    }
  };
  const set = (name: string) => {
    if (name === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = name;
    get("theme").textContent = `Theme: ${name}`;
    redraw();
  };
  let chosen = names.includes(kept() ?? "") ? kept()! : "system";
  set(chosen);
  get("theme").addEventListener("click", () => {
    chosen = names[(names.indexOf(chosen) + 1) % names.length]!;
    kept(chosen);
    set(chosen);
  });
}
