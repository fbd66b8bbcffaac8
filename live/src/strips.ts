// Where the sled was in x and in y over the last time, with phases in colour, how many requests waited, and for how long
// the one that waited longest.

import { phaseColour, sharp, step, time, type Colours } from "./drawing";
import { upTo, type Lane } from "./lane";
import type { Device } from "./wire";

const LEFT = 56;
const BOTTOM = 18;
const GAP = 10;
/** Milliseconds of the reader's time that a strip is wide. */
const WINDOW_MS = 4000;
/** Services of which no more than their ends would be seen. */
const MOST_SERVICES = 250;

export function drawStrips(canvas: HTMLCanvasElement, lane: Lane, device: Device, now_ns: number, speed: number, colours: Colours): void {
  const { context, width, height } = sharp(canvas);
  const window_ns = WINDOW_MS * 1e6 * speed;
  const from_ns = Math.max(0, now_ns - window_ns);
  const x = (ns: number) => LEFT + ((ns - from_ns) / window_ns) * (width - LEFT - 4);
  const region = device.geometry?.region_um;
  const strips = region ? 4 : 2;
  const high = (height - BOTTOM - (strips - 1) * GAP) / strips;
  const first = Math.max(0, upTo(lane.services, (served) => served.start_ns, from_ns) - 1);
  const last = upTo(lane.services, (served) => served.start_ns, now_ns);

  axis(context, from_ns, window_ns, x, width, height, colours);
  if (region) {
    (["x_um", "y_um"] as const).forEach((name, at) => {
      const top = at * (high + GAP);
      const y = (um: number) => top + high / 2 - (um / region[at]!) * high;
      frame(context, `${name[0]}, µm`, top, high, width, [`${region[at]! / 2}`, `-${region[at]! / 2}`], colours);
      if (last - first > MOST_SERVICES) return;
      // One stroke a colour: many small ones take long.
      const ways = new Map<string, Path2D>();
      for (let number = first; number < last; number += 1) {
        const { path, start_ns } = lane.services[number]!;
        if (!path) continue;
        const values = path[name];
        for (let point = 1; point < path.after_ns.length; point += 1) {
          const [begin, end] = [start_ns + path.after_ns[point - 1]!, start_ns + path.after_ns[point]!];
          if (end < from_ns || begin > now_ns) continue;
          const colour = phaseColour(colours, path.phases[point]!);
          const way = ways.get(colour) ?? new Path2D();
          ways.set(colour, way);
          const share = (ns: number) => (end > begin ? (ns - begin) / (end - begin) : 1);
          const between = (ns: number) => values[point - 1]! + (values[point]! - values[point - 1]!) * share(ns);
          const [left, right] = [Math.max(begin, from_ns), Math.min(end, now_ns)];
          way.moveTo(x(left), y(between(left)));
          way.lineTo(x(right), y(between(right)));
        }
      }
      context.lineWidth = 2;
      for (const [colour, way] of ways) {
        context.strokeStyle = colour;
        context.stroke(way);
      }
    });
  }
  queue(context, lane, from_ns, now_ns, x, (strips - 2) * (high + GAP), high, width, colours);
  oldest(context, lane, from_ns, now_ns, x, (strips - 1) * (high + GAP), high, width, colours);
}

function frame(context: CanvasRenderingContext2D, name: string, top: number, high: number, width: number, ends: string[], colours: Colours): void {
  context.strokeStyle = colours["line"]!;
  context.lineWidth = 1;
  context.strokeRect(LEFT, top + 0.5, width - LEFT - 4, high - 1);
  context.fillStyle = colours["quiet"]!;
  context.textAlign = "right";
  context.fillText(ends[0]!, LEFT - 4, top + 11);
  context.fillText(ends[1]!, LEFT - 4, top + high - 2);
  context.fillText(name, LEFT - 4, top + high / 2 + 4);
  context.textAlign = "left";
}

function axis(context: CanvasRenderingContext2D, from_ns: number, window_ns: number, x: (ns: number) => number, width: number, height: number, colours: Colours): void {
  const between = step(window_ns, width < 500 ? 3 : 6);
  context.textAlign = "center";
  for (let ns = Math.ceil(from_ns / between) * between; x(ns) < width - 24; ns += between) {
    context.strokeStyle = colours["grid"]!;
    context.beginPath();
    context.moveTo(x(ns), 0);
    context.lineTo(x(ns), height - BOTTOM);
    context.stroke();
    context.fillStyle = colours["quiet"]!;
    context.fillText(time(ns), x(ns), height - 5);
  }
  context.textAlign = "left";
}

/** How many requests wait, as steps. */
function queue(
  context: CanvasRenderingContext2D,
  lane: Lane,
  from_ns: number,
  now_ns: number,
  x: (ns: number) => number,
  top: number,
  high: number,
  width: number,
  colours: Colours,
): void {
  let arrivals = upTo(lane.requests, (request) => request.arrival_ns, from_ns);
  let starts = upTo(lane.services, (served) => served.start_ns, from_ns);
  const steps: [number, number][] = [[from_ns, arrivals - starts]];
  for (;;) {
    const comes = lane.requests[arrivals]?.arrival_ns ?? Number.POSITIVE_INFINITY;
    const goes = lane.services[starts]?.start_ns ?? Number.POSITIVE_INFINITY;
    const next = Math.min(comes, goes);
    if (next > now_ns) break;
    if (comes <= goes) arrivals += 1;
    else starts += 1;
    steps.push([next, arrivals - starts]);
  }
  const most = steps.reduce((most, [, count]) => Math.max(most, count), 4);
  frame(context, "waiting", top, high, width, [String(most), "0"], colours);
  context.strokeStyle = colours["text"]!;
  context.lineWidth = 1.5;
  context.beginPath();
  const y = (count: number) => top + high - 2 - (Math.max(0, count) / most) * (high - 6);
  steps.forEach(([ns, count], at) => {
    if (at === 0) context.moveTo(x(ns), y(count));
    else {
      context.lineTo(x(ns), y(steps[at - 1]![1]));
      context.lineTo(x(ns), y(count));
    }
  });
  context.lineTo(x(now_ns), y(steps.at(-1)![1]));
  context.stroke();
}

/** For how long the request has waited that waits longest: it grows with time, and falls when that request is served. */
function oldest(
  context: CanvasRenderingContext2D,
  lane: Lane,
  from_ns: number,
  now_ns: number,
  x: (ns: number) => number,
  top: number,
  high: number,
  width: number,
  colours: Colours,
): void {
  const lines: [number, number][] = [];
  const first = lane.oldest(from_ns)?.row ?? upTo(lane.requests, (request) => request.arrival_ns, from_ns);
  let since_ns = from_ns;
  for (let row = first; row < lane.requests.length && lane.requests[row]!.arrival_ns <= now_ns; row += 1) {
    const { arrival_ns, start_ns } = lane.requests[row]!;
    if (start_ns <= since_ns) continue;
    const [begin, end] = [Math.max(since_ns, arrival_ns), Math.min(start_ns, now_ns)];
    // In between nothing waits.
    if (begin > since_ns) lines.push([since_ns, 0], [begin, 0]);
    lines.push([begin, begin - arrival_ns], [end, end - arrival_ns]);
    since_ns = end;
    if (start_ns > now_ns) break;
  }
  if (since_ns < now_ns) lines.push([since_ns, 0], [now_ns, 0]);
  const most = lines.reduce((most, [, ns]) => Math.max(most, ns), 1e6);
  frame(context, "longest", top, high, width, [time(most), "0"], colours);
  const y = (ns: number) => top + high - 2 - (ns / most) * (high - 6);
  context.strokeStyle = colours["c4"]!;
  context.lineWidth = 1.5;
  context.beginPath();
  lines.forEach(([at, ns], point) => (point === 0 ? context.moveTo(x(at), y(ns)) : context.lineTo(x(at), y(ns))));
  context.stroke();
}
