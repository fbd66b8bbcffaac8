// A recorded run that `sledsim view` has put into the page: what came, and what it came from.

import { unpacked } from "./simulator";
import { DEFAULT, type State } from "./state";

/** As python/sledsim/charts/live_page.py writes it. */
interface Written {
  /** The file of the run, as the command was given it. */
  name: string;
  /** What is to be known of it, in sentences. */
  says: string;
  device: string;
  parameters: Record<string, string>;
  policies: string[];
  at_ms: number;
  row: number | null;
  /** How the requests are to be read, and they themselves, packed by gzip as base64. */
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
  /** What the page shows where its address says nothing. */
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
