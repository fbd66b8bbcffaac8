// Strips of the recent past: x and y of the sled in the colours of phases, number of waiting requests, longest wait.

import { phaseColour, sharp, step, time, type Colours } from "./drawing";
import { upTo, type Lane } from "./lane";
import { Line } from "./line";
import type { Device } from "./wire";

const LEFT = 56;
const BOTTOM = 18;
const GAP = 10;
/** Real time in milliseconds that a strip covers. */
const WINDOW_MS = 4000;
/** Largest number of services for which a strip shows the path. */
const MOST_SERVICES = 250;

export function drawStrips(canvas: HTMLCanvasElement, lane: Lane, device: Device, now_ns: number, speed: number, colours: Colours): void {
  const { context, width, height } = sharp(canvas);
  const window_ns = WINDOW_MS * 1e6 * speed;
  const from_ns = Math.max(0, now_ns - window_ns);
  const x = (ns: number) => LEFT + ((ns - from_ns) / window_ns) * (width - LEFT - 4);
  const pixel_ns = window_ns / (width - LEFT - 4);
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
      if (last - first > MOST_SERVICES) {
        context.textAlign = "center";
        context.fillText("speed too high to draw the path", (LEFT + width) / 2, top + high / 2 + 4);
        context.textAlign = "left";
        return;
      }
      // All lines of one colour are drawn by a single stroke: many small strokes take long.
      const ways = new Map<string, Path2D>();
      for (let number = first; number < last; number += 1) {
        const { path, start_ns } = lane.services[number]!;
        if (!path) continue;
        const values = path[name];
        let since = 0;
        for (let point = 1; point < path.after_ns.length; point += 1) {
          // Merge points of one phase within one pixel.
          const isSame = path.phases[point + 1] === path.phases[point] && path.after_ns[point]! - path.after_ns[since]! < pixel_ns;
          if (isSame) continue;
          const [first, begin, end] = [since, start_ns + path.after_ns[since]!, start_ns + path.after_ns[point]!];
          since = point;
          if (end < from_ns || begin > now_ns) continue;
          const colour = phaseColour(colours, path.phases[point]!);
          const way = ways.get(colour) ?? new Path2D();
          ways.set(colour, way);
          const share = (ns: number) => (end > begin ? (ns - begin) / (end - begin) : 1);
          const between = (ns: number) => values[first]! + (values[point]! - values[first]!) * share(ns);
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
  const over = (strip: number, name: string, values: (tell: Tell) => void, least: number, says: (most: number) => string, colour: string) => {
    const top = strip * (high + GAP);
    let most = least;
    values((_, value) => { most = Math.max(most, value); });
    frame(context, name, top, high, width, [says(most), "0"], colours);
    context.strokeStyle = colours[colour]!;
    context.lineWidth = 1.5;
    const line = new Line(context);
    values((ns, value) => line.to(x(ns), top + high - 2 - (value / most) * (high - 6)));
    line.stroke();
  };
  over(strips - 2, "waiting", (tell) => waiting(lane, from_ns, now_ns, tell), 4, String, "text");
  over(strips - 1, "longest", (tell) => longest(lane, from_ns, now_ns, tell), 1e6, time, "c4");
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

type Tell = (ns: number, value: number) => void;

/** Call back with time and number of waiting requests at each change of that number. */
function waiting(lane: Lane, from_ns: number, now_ns: number, tell: Tell): void {
  let arrivals = upTo(lane.requests, (request) => request.arrival_ns, from_ns);
  let starts = upTo(lane.services, (served) => served.start_ns, from_ns);
  tell(from_ns, arrivals - starts);
  for (;;) {
    const comes = lane.requests[arrivals]?.arrival_ns ?? Number.POSITIVE_INFINITY;
    const goes = lane.services[starts]?.start_ns ?? Number.POSITIVE_INFINITY;
    const next = Math.min(comes, goes);
    if (next > now_ns) break;
    tell(next, arrivals - starts);
    if (comes <= goes) arrivals += 1;
    else starts += 1;
    tell(next, arrivals - starts);
  }
  tell(now_ns, arrivals - starts);
}

/** Call back with the longest current wait: it grows with time, and drops when the oldest request is served. */
function longest(lane: Lane, from_ns: number, now_ns: number, tell: Tell): void {
  const first = lane.oldest(from_ns)?.row ?? upTo(lane.requests, (request) => request.arrival_ns, from_ns);
  let since_ns = from_ns;
  for (let row = first; row < lane.requests.length && since_ns < now_ns; row += 1) {
    const { arrival_ns, start_ns } = lane.requests[row]!;
    if (arrival_ns > now_ns) break;
    if (start_ns <= since_ns) continue;
    const [begin, end] = [Math.max(since_ns, arrival_ns), Math.min(start_ns, now_ns)];
    if (begin > since_ns) nothing(since_ns, begin, tell);
    tell(begin, begin - arrival_ns);
    tell(end, end - arrival_ns);
    since_ns = end;
  }
  if (since_ns < now_ns) nothing(since_ns, now_ns, tell);
}

function nothing(from_ns: number, to_ns: number, tell: Tell): void {
  tell(from_ns, 0);
  tell(to_ns, 0);
}
