// Types of the simulator's answers; crates/sledsim-wasm documents the answers.

export interface Option {
  name: string;
  unit: string;
  default: string;
  range: string;
  choices: string[] | null;
  meaning: string;
}

export interface Row {
  name: string;
  summary: string;
  options: Option[];
}

export interface Key {
  name: string;
  unit: string;
  range: string | null;
  least: number | null;
  most: number | null;
  is_whole: boolean;
  choices: [string, string][] | null;
  meaning: string;
}

export interface Tables {
  version: string;
  devices: { name: string; kind: string; description: string }[];
  tables: Record<string, Row[]>;
  parameters: Record<string, Key[]>;
}

export interface Geometry {
  rows_per_track: number;
  bit_um: number;
  region_um: [number, number];
  first_row_um: number;
  row_um: number;
}

export interface Certainty {
  low: number | null;
  high: number | null;
  is_log: boolean | null;
  reason: string | null;
}

export interface Device {
  name: string;
  kind: string;
  description: string;
  sectors: number;
  extent: { cylinders: number; y_bits: number };
  parameters: Record<string, unknown>;
  certainty: Record<string, Certainty>;
  geometry: Geometry | null;
}

export interface Requests {
  requests: number;
  name: string;
  count: number;
  from_ns: number;
  to_ns: number;
  notes: string[];
}

export interface Built {
  run: number;
  scheduler: string;
  count: number;
}

export interface Path {
  after_ns: number[];
  x_um: number[];
  y_um: number[];
  /** Phase of the path before each point; the page computes it once. */
  phases: string[];
}

export interface Served {
  row: number;
  device: number;
  start_ns: number;
  phases: [string, number][];
  parts: [string, number][];
  turnarounds: number;
  next: number[];
  path: Path | null;
}

export interface Log {
  now_ns: number;
  is_done: boolean;
  pending: number;
  arrived: {
    row: number[];
    time_ns: number[];
    lbn: number[];
    blocks: number[];
    write: boolean[];
    place: [number, number][];
  };
  served: Served[];
  completed: [number, number][];
}
