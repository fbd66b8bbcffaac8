// A recorded run that `sledsim view` has put into the page: its requests and its settings.

import { unpacked } from "./simulator";
import { DEFAULT, type State } from "./state";

/** The format that python/sledsim/charts/live_page.py writes. */
interface Written {
  /** File of the run, as named on the command line. */
  name: string;
  /** Notes on the run, in sentences. */
  says: string;
  device: string;
  parameters: Record<string, string>;
  policies: string[];
  at_ms: number;
  row: number | null;
  /** Mapping of the columns of the requests, and the requests as gzip in base64. */
  map: string;
  requests: string;
}

export interface File {
  name: string;
  bytes: Uint8Array;
  format?: string;
  map?: string;
}

export interface Recorded {
  file: File;
  says: string;
  /** State of the page if its address has none. */
  state: State;
}

export async function recordedIn(text: string): Promise<Recorded | undefined> {
  if (!text.trim()) return undefined;
  const { name, says, map, requests, row, ...chosen } = JSON.parse(text) as Written;
  return {
    file: { name, bytes: new Uint8Array(await unpacked(requests)), format: "csv", map },
    says,
    state: { ...DEFAULT, ...chosen, trace: name, row: row ?? undefined },
  };
}
