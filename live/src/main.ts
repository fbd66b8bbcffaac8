// The page: simulate the chosen settings, and draw the runs while the time of the page advances.

import { choices, get, text, theme } from "./choices";
import { clock, coloursOf, time, type Colours } from "./drawing";
import { Lane } from "./lane";
import { legend } from "./legend";
import { find, showSliders } from "./parameters";
import { Player } from "./player";
import { recordedIn, type File as Held, type Recorded } from "./recorded";
import { drawSpreads, showFigures, Spread } from "./spread";
import { plain, Simulator, unpacked } from "./simulator";
import { Stage } from "./stage";
import { command, fromFragment, toFragment, values, type State } from "./state";
import { drawStrips } from "./strips";
import type { Built, Device, Requests, Tables } from "./wire";
import { doing } from "./words";

/** Real time in ms: lead of the simulation over the display; interval of figures; interval of announcements. */
const AHEAD_MS = 1500;
const FIGURES_MS = 400;
const TOLD_MS = 6000;
const WORKING_MS = 2000;
/** Highest speed of the page at which the path of the sled is drawn. */
const PATHS_UP_TO = 0.1;
/** Number of waiting requests that are labelled 1, 2, ... in the order in which the policy would serve them. */
const ORDER = 3;
const LINES = ["c1", "c4"];

interface Shown {
  lane: Lane;
  stage: Stage;
  strips: HTMLCanvasElement;
  does: HTMLElement;
  spread: Spread;
}

let simulator: Simulator;
let tables: Tables;
let device: Device;
let requests: Requests;
let shown: Shown[] = [];
let state: State = fromFragment(location.hash);
let file: Held | undefined;
let recorded: Recorded | undefined;
let colours: Colours;
let generation = 0;
let figuresAt = 0;
let toldAt = 0;

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const player = new Player(
  state.speed,
  () => Math.min(...shown.map(({ lane }) => (lane.isDone ? end() : lane.known_ns)), Number.MAX_SAFE_INTEGER),
  draw,
  () => { keepAddress(); paint(player.now_ns); tell(true); playing(); },
  () => calm.matches,
);
/** Return the trace file that the state names, if the user has loaded it. */
const held = () => [file, recorded?.file].find((one) => one !== undefined && one.name === state.trace);
const isOver = () => shown.length > 0 && shown.every(({ lane }) => lane.isDone) && player.now_ns >= end();

/** Return both ends of the time axis: the first arrival, and the last arrival or known completion. */
const begin = () => (requests?.from_ns ?? 0) / state.scale;
const end = () => Math.max((requests?.to_ns ?? 0) / state.scale, ...shown.map(({ lane }) => lane.end_ns), 1);

function fault(error: Error | undefined): void {
  get("fault").hidden = error === undefined;
  get("fault").textContent = error?.message ?? "";
  if (error) player.pause();
}

// The address of the page, and the equivalent command.
function keepAddress(): void {
  state.at_ms = player.now_ns / 1e6;
  state.speed = player.speed;
  history.replaceState(null, "", `#${toFragment(state)}`);
  get("command").textContent = command(state);
}

async function copied(what: string, words: string, otherwise: () => string): Promise<void> {
  try {
    await navigator.clipboard.writeText(words);
    get("said").textContent = `${what} is copied.`;
  } catch {
    // A browser may deny the clipboard to a local file.
    get("said").textContent = otherwise();
  }
}

function selected(): string {
  getSelection()?.selectAllChildren(get("command"));
  return "The command is selected.";
}

// Start the chosen runs.
/** Return True if the sliders must be built again, for another device; they stay while the user drags one. */
let isOther = true;

async function rebuild(): Promise<void> {
  const mine = (generation += 1);
  const given = { device: state.device, parameters: values(state.parameters) };
  const file = held();
  try {
    if (isOther) {
      // The ranges of the sliders are those of the device without changed parameters.
      const own = await simulator.call<Device>("device", { device: state.device });
      if (mine !== generation) return;
      sliders(own);
      isOther = false;
    }
    const described = await simulator.call<Device>("device", given);
    if (mine !== generation) return;
    await simulator.call("forget");
    const found = file
      ? await simulator.call<Requests>("read", { name: file.name, format: file.format, map: file.map }, file.bytes)
      : await simulator.call<Requests>("draw", { workload: state.workload, sectors: described.sectors });
    const builds = state.policies.map((scheduler) =>
      simulator.call<Built>("build", { ...given, scheduler, requests: found.requests, scale: state.scale, past_end: "wrap" }),
    );
    const built = await Promise.all(builds);
    if (mine !== generation) return;
    [device, requests] = [described, found];
    fault(undefined);
    const lacks = state.trace && !file ? `The address names the trace file ${state.trace}: choose that file. Until then the workload is ${state.workload}.` : "";
    get("notes").textContent = [lacks, file && file === recorded?.file ? recorded.says : "", ...found.notes].filter(Boolean).join(" ");
    show(built);
    player.seek(state.at_ms > 0 ? Math.min(Math.round(state.at_ms * 1e6), Number.MAX_SAFE_INTEGER) : begin());
    keepAddress();
  } catch (error) {
    if (mine === generation) fault(error as Error);
  }
}

let rebuilding = 0;
function soon(other: boolean): void {
  clearTimeout(rebuilding);
  isOther ||= other;
  rebuilding = setTimeout(() => void rebuild(), 120);
}

/** Create the pictures for each policy: the medium, and strips over time. */
function show(built: Built[]): void {
  const places = get("lanes");
  places.replaceChildren();
  shown = built.map((one, number) => {
    const figure = document.createElement("section");
    figure.className = "lane";
    const title = document.createElement("h2");
    title.id = `lane-${number}`;
    title.innerHTML = `<i class="${number ? "second" : ""}" style="border-color: var(--${LINES[number]})"></i>`;
    title.append(one.scheduler);
    const canvas = (name: string, says: string) => {
      const made = document.createElement("canvas");
      made.className = name;
      made.setAttribute("role", "img");
      made.setAttribute("aria-label", says);
      return made;
    };
    const picture = canvas("stage", `The medium under ${one.scheduler}: the sled and the waiting requests`);
    const strips = canvas("strips", `Position of the sled and waiting requests over time under ${one.scheduler}`);
    picture.tabIndex = 0;
    picture.setAttribute("aria-describedby", `does-${number}`);
    const does = document.createElement("p");
    does.className = "does";
    does.id = `does-${number}`;
    figure.append(title, picture, does, strips);
    places.append(figure);
    const lane = new Lane(simulator, one, fault);
    const entry: Shown = { lane, stage: new Stage(picture, device), strips, does, spread: new Spread() };
    picture.addEventListener("keydown", key);
    picture.addEventListener("click", (event) => {
      state.row = entry.stage.pick(event.offsetX, event.offsetY)?.row;
      keepAddress();
      draw(player.now_ns);
    });
    return entry;
  });
}

// Draw the current time.
/** Return the details that the simulator must supply: at high speed, no paths. */
function detail(): { paths: boolean; order: number } {
  const isSlow = player.speed <= PATHS_UP_TO;
  return { paths: isSlow, order: isSlow ? ORDER : 0 };
}

function draw(now_ns: number): void {
  const ahead_ns = AHEAD_MS * 1e6 * player.speed;
  for (const { lane } of shown) {
    if (lane.known_ns < now_ns + ahead_ns && !lane.isBusy && !lane.hasFailed) void lane.reach(now_ns + 2 * ahead_ns, detail()).then(() => caughtUp(lane));
  }
  paint(now_ns);
  if (player.isPlaying && isOver()) player.pause();
}

/** Redraw the page at a paused time once it is simulated; a time after the end is replaced by the end. */
function caughtUp(lane: Lane): void {
  if (player.isPlaying || !shown.some((one) => one.lane === lane)) return;
  if (isOver() && player.now_ns > end()) player.seek(end());
  else draw(player.now_ns);
}

function paint(now_ns: number): void {
  colours ??= coloursOf(document.body);
  for (const { lane, stage, strips, does } of shown) {
    stage.draw(lane, now_ns, colours, state.row);
    drawStrips(strips, lane, device, now_ns, player.speed, colours);
    does.textContent = doing(lane, now_ns, state.row);
  }
  get("now").textContent = clock(now_ns);
  const slide = get<HTMLInputElement>("at");
  slide.value = String(Math.round((now_ns / end()) * 1000));
  slide.setAttribute("aria-valuetext", time(now_ns));
  const now = performance.now();
  if (!player.isPlaying || now - figuresAt > FIGURES_MS) {
    figuresAt = now;
    figures(now_ns);
  }
  if (now - toldAt > TOLD_MS) tell(false);
}

function figures(now_ns: number): void {
  shown.forEach(({ spread, lane }) => spread.count(lane, now_ns));
  drawSpreads(get("spread"), shown.map(({ spread }) => spread), shown.map(({ lane }) => lane.built.scheduler), LINES.map((line) => colours[line]!), colours);
  showFigures(shown.map(({ spread, lane }) => ({ ...spread.figures(), name: lane.built.scheduler, waiting: lane.waits(now_ns) })));
}

/** Announce the figures to screen readers, at intervals and when the time stops. */
function tell(isStopped: boolean): void {
  toldAt = performance.now();
  if (shown.length === 0 || (!player.isPlaying && !isStopped)) return;
  const one = ({ lane, spread }: Shown) =>
    `${lane.built.scheduler}: ${lane.count(player.now_ns)} complete, ${lane.waits(player.now_ns)} waiting, mean response ${time(spread.figures().mean)}`;
  get("said").textContent = `At ${time(player.now_ns)}. ${shown.map(one).join(". ")}.`;
}

// Reactions to the controls.
function playing(): void {
  get("play").textContent = player.isPlaying ? "Pause" : "Play";
}

function toggle(): void {
  if (!player.isPlaying && isOver()) player.seek(begin());
  player.toggle();
  playing();
}

/** Go to the start of the next or the previous service under any of the policies. */
async function go(way: 1 | -1): Promise<void> {
  player.pause();
  for (const { lane } of shown) {
    // Simulate farther ahead if no service starts soon.
    for (let reach_ns = 1e6; way > 0 && !lane.isDone && !lane.hasFailed && lane.neighbour(player.now_ns, 1) === undefined && reach_ns < 1e13; reach_ns *= 4) {
      await lane.reach(player.now_ns + reach_ns, { paths: true, order: ORDER });
    }
  }
  const all = shown.map(({ lane }) => lane.neighbour(player.now_ns, way)).filter((ns) => ns !== undefined);
  if (all.length > 0) player.seek(way > 0 ? Math.min(...all) : Math.max(...all));
  keepAddress();
  tell(true);
}

/** Announce the progress of the simulation at intervals while the page waits for it. */
function working(): void {
  if (performance.now() - toldAt < WORKING_MS) return;
  toldAt = performance.now();
  const share = Math.min(...shown.map(({ lane }) => lane.completed.length / lane.built.count));
  get("said").textContent = `Simulating: ${Math.floor(share * 100)} % of the requests are complete.`;
}

/** Go to the time at which all requests are complete. */
async function toEnd(): Promise<void> {
  const mine = generation;
  await Promise.all(shown.map(async ({ lane }) => {
    while (mine === generation && !lane.isDone && !lane.hasFailed) {
      await lane.reach(Number.MAX_SAFE_INTEGER, detail());
      working();
    }
  }));
  if (mine !== generation) return;
  player.seek(end());
  keepAddress();
  tell(true);
}

function key(event: KeyboardEvent): void {
  const speeds = get<HTMLSelectElement>("speed");
  const faster = (by: number) => {
    speeds.selectedIndex = Math.min(Math.max(speeds.selectedIndex + by, 0), speeds.length - 1);
    speeds.dispatchEvent(new Event("change"));
  };
  const acts: Record<string, () => void> = {
    " ": toggle,
    ArrowRight: () => void go(1),
    ArrowLeft: () => void go(-1),
    ArrowUp: () => faster(1),
    ArrowDown: () => faster(-1),
    Home: () => { player.seek(begin()); keepAddress(); tell(true); },
    End: () => void toEnd(),
  };
  const act = acts[event.key];
  if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  act();
}

function sliders(own: Device): void {
  showSliders(tables.parameters[own.kind] ?? [], own, state.parameters, () => {
    state.at_ms = player.now_ns / 1e6;
    soon(false);
  });
}

function change(id: string, act: (given: string) => void, isOther = false): void {
  get(id).addEventListener("change", (event) => {
    act((event.target as HTMLInputElement).value);
    [state.at_ms, state.row] = [0, undefined];
    soon(isOther);
  });
}

async function take(given: File | undefined): Promise<void> {
  if (!given) return;
  try {
    file = { name: given.name, bytes: await plain(given) };
  } catch {
    return fault(new Error(`${given.name}: expected valid gzip data, found damage`));
  }
  [state.trace, state.at_ms, state.row] = [given.name, 0, undefined];
  choices(tables, state);
  soon(false);
}

function controls(): void {
  change("device", (given) => { [state.device, state.parameters] = [given, {}]; }, true);
  change("policy-0", (given) => { state.policies[0] = given; });
  change("policy-1", (given) => { state.policies = given ? [state.policies[0]!, given] : [state.policies[0]!]; });
  change("workload", (given) => {
    // In the field of the workload, the name of a loaded file selects this file.
    if ([file, recorded?.file].some((one) => one?.name === given)) state.trace = given;
    else [state.workload, state.trace] = [given, ""];
  });
  change("scale", (given) => { state.scale = Number(given); });
  get("file").addEventListener("change", (event) => void take((event.target as HTMLInputElement).files?.[0]));
  get("choices").addEventListener("submit", (event) => event.preventDefault());
  for (const name of ["dragover", "dragleave", "drop"] as const) {
    addEventListener(name, (event) => {
      event.preventDefault();
      document.body.classList.toggle("drags", name === "dragover");
      if (name === "drop") void take(event.dataTransfer?.files[0]);
    });
  }
  get("play").addEventListener("click", toggle);
  get("back").addEventListener("click", () => void go(-1));
  get("forth").addEventListener("click", () => void go(1));
  get("speed").addEventListener("change", (event) => {
    player.speed = Number((event.target as HTMLSelectElement).value);
    draw(player.now_ns);
    keepAddress();
  });
  get("at").addEventListener("input", (event) => {
    const share = Number((event.target as HTMLInputElement).value) / 1000;
    if (share < 1) player.seek(share * end());
    else void toEnd();
  });
  get("at").addEventListener("change", () => { keepAddress(); tell(true); });
  get("find").addEventListener("input", find);
  get("reset").addEventListener("click", () => { [state.parameters, state.at_ms] = [{}, player.now_ns / 1e6]; soon(true); });
  get("copy").addEventListener("click", () => void copied("The command", text("command"), selected));
  get("copy-link").addEventListener("click", () => { keepAddress(); void copied("The address", location.href, () => "The address of the page has it all: copy it from the browser."); });
  addEventListener("hashchange", () => {
    state = fromFragment(location.hash, recorded?.state);
    player.speed = state.speed;
    choices(tables, state);
    soon(true);
  });
  const redraw = () => { colours = coloursOf(document.body); if (shown.length > 0) paint(player.now_ns); };
  addEventListener("resize", redraw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  theme(redraw);
}

async function start(): Promise<void> {
  document.documentElement.classList.toggle("is-framed", window !== window.top);
  recorded = await recordedIn(text("recorded"));
  if (recorded) {
    state = fromFragment(location.hash, recorded.state);
    player.speed = state.speed;
  }
  simulator = new Simulator(text("worker"), await unpacked(text("module")));
  tables = await simulator.call<Tables>("tables");
  get("version").textContent = tables.version;
  legend(get("legend"));
  choices(tables, state);
  controls();
  await rebuild();
  document.documentElement.dataset["drawn"] = "yes";
}

start().catch((error: Error) => fault(error));
