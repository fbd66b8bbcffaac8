// The picture of the medium under one tip, with the path of the sled and the waiting requests.

import { phaseColour, sharp, type Colours } from "./drawing";
import { lasts, phaseAt, placeOn, upTo, type Lane, type Place, type Request } from "./lane";
import type { Device } from "./wire";

const MARGIN = 12;
/** Space for the labels of the axes, in pixels. */
const LEFT = 44;
const BOTTOM = 22;
const DOT = 3.5;
/** Largest distance in pixels between a click and the request that it selects. */
const NEAR = 24;
const MOST_ROUND = 400;
/** Number of earlier services whose paths are shown behind the sled. */
const TRAIL = 3;

/** Left, top, right and bottom edge of the picture, in pixels. */
type Corners = [number, number, number, number];

export class Stage {
  private shown: Request[] = [];
  private at: (place: Place) => [number, number] = () => [0, 0];

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly device: Device,
  ) {}

  /** Return the position of a request in µm from the centre; on devices without a sled, in shares of the range. */
  private um([cylinder, y_bits]: [number, number]): Place {
    const { extent, geometry } = this.device;
    if (!geometry) {
      const share = (at: number, reach: number) => (reach > 1 ? at / reach - 0.5 : 0);
      return { x_um: share(cylinder, extent.cylinders), y_um: share(y_bits, extent.y_bits) };
    }
    return {
      x_um: (cylinder - Math.floor(extent.cylinders / 2)) * geometry.bit_um,
      y_um: (y_bits - extent.y_bits / 2) * geometry.bit_um,
    };
  }

  draw(lane: Lane, now_ns: number, colours: Colours, picked: number | undefined): void {
    const { context, width, height } = sharp(this.canvas);
    const region = this.device.geometry?.region_um ?? [1, 1];
    const [room, space] = [width - LEFT - MARGIN, height - BOTTOM - MARGIN];
    const scale = Math.min(room / region[0], space / region[1]);
    const [wide, high] = this.device.geometry ? [scale, scale] : [room, space];
    const at = ({ x_um, y_um }: Place): [number, number] => [LEFT + room / 2 + x_um * wide, MARGIN + space / 2 - y_um * high];
    const corners = [...at({ x_um: -region[0]! / 2, y_um: region[1]! / 2 }), ...at({ x_um: region[0]! / 2, y_um: -region[1]! / 2 })] as Corners;

    this.at = at;
    this.medium(context, corners, at, colours);
    this.axes(context, corners, region, colours);
    this.trail(context, lane, now_ns, at, colours);
    const waiting = lane.waiting(now_ns);
    const service = lane.service(now_ns);
    const isServing = service !== undefined && now_ns < service.start_ns + lasts(service);
    this.dots(context, waiting, at, colours);
    if (service) this.next(context, lane, service.next, now_ns, at, colours);
    const target = isServing ? lane.requests[service.row] : undefined;
    if (target) this.mark(context, at(this.um(target.place)), "circle", colours["text"]!);
    const oldest = waiting.length > 1 ? lane.oldest(now_ns) : undefined;
    if (oldest) this.mark(context, at(this.um(oldest.place)), "diamond", colours["c4"]!);
    const chosen = picked === undefined ? undefined : lane.requests[picked];
    if (chosen && chosen.arrival_ns <= now_ns && now_ns < chosen.completion_ns) this.mark(context, at(this.um(chosen.place)), "square", colours["link"]!);
    const sled = lane.sled(now_ns) ?? (target && this.um(target.place));
    const phase = isServing ? phaseAt(service, now_ns - service.start_ns) : "idle";
    if (sled) this.sled(context, at(sled), isServing ? phaseColour(colours, phase) : colours["quiet"]!, corners, colours);
  }

  private medium(context: CanvasRenderingContext2D, [left, top, right, bottom]: Corners, at: (place: Place) => [number, number], colours: Colours): void {
    context.fillStyle = colours["shade"]!;
    context.fillRect(left, top, right - left, bottom - top);
    const geometry = this.device.geometry;
    context.lineWidth = 1;
    context.strokeStyle = colours["grid"]!;
    context.beginPath();
    if (geometry && (geometry.rows_per_track * 4 < bottom - top)) {
      for (let row = 0; row <= geometry.rows_per_track; row += 1) {
        const [, y] = at({ x_um: 0, y_um: geometry.first_row_um + row * geometry.row_um });
        context.moveTo(left, y);
        context.lineTo(right, y);
      }
    }
    context.stroke();
    context.strokeStyle = colours["line"]!;
    context.strokeRect(left, top, right - left, bottom - top);
  }

  /** Draw the axes, with the size of the medium and the names of its directions. */
  private axes(context: CanvasRenderingContext2D, [left, top, right, bottom]: Corners, region: number[], colours: Colours): void {
    const { geometry, extent } = this.device;
    const round = (um: number) => String(Number(um.toPrecision(3)));
    const ends = (reach: number, um: number) => (geometry ? [round(-um / 2), round(um / 2)] : ["0", String(Math.max(0, reach - 1))]);
    const [x, y] = [ends(extent.cylinders, region[0]!), ends(extent.y_bits, region[1]!)];
    context.fillStyle = colours["quiet"]!;
    context.textAlign = "left";
    context.fillText(x[0]!, left, bottom + 15);
    context.textAlign = "center";
    context.fillText(geometry ? "x, µm" : "cylinder", (left + right) / 2, bottom + 15);
    context.textAlign = "right";
    context.fillText(x[1]!, right, bottom + 15);
    if (geometry) {
      context.fillText(y[1]!, left - 5, top + 10);
      context.fillText("y, µm", left - 5, (top + bottom) / 2 + 4);
      context.fillText(y[0]!, left - 5, bottom);
    } else if (extent.y_bits > 1) {
      context.save();
      context.translate(left - 8, (top + bottom) / 2);
      context.rotate(-Math.PI / 2);
      context.textAlign = "center";
      context.fillText("position along the track", 0, 0);
      context.restore();
    }
    context.textAlign = "left";
  }

  /** Draw the path of the sled through the given service and earlier ones, in the colours of the phases. */
  private trail(context: CanvasRenderingContext2D, lane: Lane, now_ns: number, at: (place: Place) => [number, number], colours: Colours): void {
    const number = upTo(lane.services, (served) => served.start_ns, now_ns) - 1;
    context.lineWidth = 2;
    for (let back = Math.min(TRAIL, number); back >= 0; back -= 1) {
      const service = lane.services[number - back]!;
      if (!service.path) continue;
      context.globalAlpha = 1 - back / (TRAIL + 1);
      const until_ns = now_ns - service.start_ns;
      const { after_ns, x_um, y_um } = service.path;
      // All lines of one colour are drawn by a single stroke.
      const ways = new Map<string, Path2D>();
      for (let point = 1; point < after_ns.length && after_ns[point - 1]! < until_ns; point += 1) {
        const to = after_ns[point]! <= until_ns ? { x_um: x_um[point]!, y_um: y_um[point]! } : placeOn(service.path, until_ns);
        const colour = phaseColour(colours, service.path.phases[point]!);
        const way = ways.get(colour) ?? new Path2D();
        ways.set(colour, way);
        way.moveTo(...at({ x_um: x_um[point - 1]!, y_um: y_um[point - 1]! }));
        way.lineTo(...at(to));
      }
      for (const [colour, way] of ways) {
        context.strokeStyle = colour;
        context.stroke(way);
      }
    }
    context.globalAlpha = 1;
  }

  /** Draw waiting requests: reads as rings, writes as full dots. */
  private dots(context: CanvasRenderingContext2D, waiting: Request[], at: (place: Place) => [number, number], colours: Colours): void {
    this.shown = waiting;
    const [reads, writes] = [new Path2D(), new Path2D()];
    for (const request of waiting) {
      const [x, y] = at(this.um(request.place));
      const way = request.write ? writes : reads;
      // Many requests are drawn as squares: shapes would not be recognised, and take longer.
      if (waiting.length > MOST_ROUND) way.rect(x - DOT / 2, y - DOT / 2, DOT, DOT);
      else {
        way.moveTo(x + DOT, y);
        way.arc(x, y, DOT, 0, 7);
      }
    }
    context.lineWidth = 1.5;
    context.strokeStyle = context.fillStyle = colours["text"]!;
    context.fill(writes);
    context.stroke(writes);
    context.fillStyle = colours["page"]!;
    context.fill(reads);
    context.stroke(reads);
  }

  /** Label the requests that the policy would serve next: 1, 2, ... */
  private next(context: CanvasRenderingContext2D, lane: Lane, rows: number[], now_ns: number, at: (place: Place) => [number, number], colours: Colours): void {
    context.fillStyle = colours["text"]!;
    let number = 0;
    for (const request of rows.map((row) => lane.requests[row])) {
      if (!request || request.start_ns <= now_ns) continue;
      number += 1;
      const [x, y] = at(this.um(request.place));
      context.fillText(String(number), x + 6, y - 5);
    }
  }

  /** Draw a symbol around a request, such as that of the chosen one. */
  private mark(context: CanvasRenderingContext2D, [x, y]: [number, number], shape: "circle" | "diamond" | "square", colour: string): void {
    context.strokeStyle = colour;
    context.lineWidth = shape === "circle" ? 1.5 : 2;
    context.beginPath();
    if (shape === "circle") context.arc(x, y, 2.4 * DOT, 0, 7);
    else {
      const reach = (shape === "square" ? 3 : 2.9) * DOT;
      const corners = shape === "square" ? [[-1, -1], [1, -1], [1, 1], [-1, 1]] : [[0, -1], [1, 0], [0, 1], [-1, 0]];
      for (const [right, down] of corners) context.lineTo(x + right! * reach, y + down! * reach);
      context.closePath();
    }
    context.stroke();
  }

  private sled(context: CanvasRenderingContext2D, [x, y]: [number, number], colour: string, [left, top, right, bottom]: Corners, colours: Colours): void {
    context.strokeStyle = colours["quiet"]!;
    context.lineWidth = 1;
    context.setLineDash([2, 4]);
    context.beginPath();
    context.moveTo(x, top);
    context.lineTo(x, bottom);
    context.moveTo(left, y);
    context.lineTo(right, y);
    context.stroke();
    context.setLineDash([]);
    context.fillStyle = colour;
    context.strokeStyle = colours["page"]!;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x, y, 6, 0, 7);
    context.fill();
    context.stroke();
  }

  /** Return the waiting request that is nearest to a point of the canvas, if it is near enough. */
  pick(x: number, y: number): Request | undefined {
    const distance = (request: Request) => {
      const [left, top] = this.at(this.um(request.place));
      return Math.hypot(left - x, top - y);
    };
    const nearest = this.shown.reduce<Request | undefined>((best, one) => (!best || distance(one) < distance(best) ? one : best), undefined);
    return nearest && distance(nearest) < NEAR ? nearest : undefined;
  }
}
