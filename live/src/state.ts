// The state: the user's choices, as the address of the page stores them, and as a command line.

export interface State {
  device: string;
  policies: string[];
  workload: string;
  /** Name of the loaded trace file, if any; the address contains only this name, not the file. */
  trace: string;
  scale: number;
  parameters: Record<string, string>;
  speed: number;
  at_ms: number;
  /** Number of the request that the user follows. */
  row: number | undefined;
}

export const SPEEDS = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 1, 10];

export const DEFAULT: State = {
  device: "osdi00",
  policies: ["sptf", "fcfs"],
  workload: "random:rate=1000,count=2000,seed=1",
  trace: "",
  scale: 1,
  parameters: {},
  speed: 0.001,
  at_ms: 0,
  row: undefined,
};

/** Parse the state from the fragment of an address; missing items get defaults. An empty fragment gives `empty`. */
export function fromFragment(fragment: string, empty: State = DEFAULT): State {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  if (given.size === 0) return structuredClone(empty);
  const number = (key: string, otherwise: number) => {
    const found = Number(given.get(key) ?? Number.NaN);
    return Number.isFinite(found) && found >= 0 ? found : otherwise;
  };
  const row = Number(given.get("row") ?? Number.NaN);
  const policies = given.getAll("policy").slice(0, 2);
  const parameters: Record<string, string> = {};
  for (const pair of given.getAll("set")) {
    const at = pair.indexOf("=");
    if (at > 0) parameters[pair.slice(0, at)] = pair.slice(at + 1);
  }
  return {
    device: given.get("device") ?? DEFAULT.device,
    policies: policies.length > 0 ? policies : [...DEFAULT.policies],
    workload: given.get("workload") ?? DEFAULT.workload,
    trace: given.get("trace") ?? "",
    scale: number("scale", 1),
    parameters,
    speed: number("speed", DEFAULT.speed) || DEFAULT.speed,
    at_ms: number("at", 0),
    row: Number.isInteger(row) && row >= 0 ? row : undefined,
  };
}

export function toFragment(state: State): string {
  const given = new URLSearchParams();
  given.set("device", state.device);
  for (const policy of state.policies) given.append("policy", policy);
  if (state.trace) given.set("trace", state.trace);
  else given.set("workload", state.workload);
  if (state.scale !== 1) given.set("scale", String(state.scale));
  for (const [key, value] of Object.entries(state.parameters)) given.append("set", `${key}=${value}`);
  given.set("speed", String(state.speed));
  if (state.at_ms > 0) given.set("at", String(Number(state.at_ms.toFixed(6))));
  if (state.row !== undefined) given.set("row", String(state.row));
  // Commas, colons and equal signs are allowed in a fragment, and read better unescaped.
  return given.toString().replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%3D", "=");
}

/** Convert the texts of parameters to the values that the simulator takes. */
export const values = (texts: Record<string, string>): Record<string, number | boolean | string> =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, value(text)]));

function value(text: string): number | boolean | string {
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number)) return number;
  return text === "true" || text === "false" ? text === "true" : text;
}

const quoted = (text: string) => (/^[\w.,:=/+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`);

/** Return the command that repeats the runs of this state. */
export function command(state: State): string {
  const words = ["sledsim", state.policies.length > 1 ? "compare" : "run", state.trace || state.workload, "--device", state.device];
  if (state.policies.length > 1) words.push("--schedulers", state.policies.join(","));
  else words.push("--scheduler", state.policies[0]!);
  if (state.scale !== 1) words.push(state.policies.length > 1 ? "--scales" : "--scale", String(state.scale));
  // Only requests of a trace may lie beyond the end of the device; generated ones never do.
  if (state.trace) words.push("--past-end", "wrap");
  for (const [key, text] of Object.entries(state.parameters)) words.push("--set", `${key}=${text}`);
  return words.map(quoted).join(" ");
}
