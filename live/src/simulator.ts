// Calls of the simulator, which runs in a worker.

interface Waiting {
  resolve: (value: never) => void;
  reject: (error: Error) => void;
}

export class Simulator {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private numbers = 0;

  /** Start the worker: `script` is its JavaScript source, `source` the WebAssembly module. */
  constructor(script: string, source: ArrayBuffer) {
    this.worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
    this.worker.addEventListener("message", ({ data }) => {
      const { resolve, reject } = this.waiting.get(data.number)!;
      this.waiting.delete(data.number);
      if ("error" in data) reject(new Error(data.error));
      else resolve(data.ok as never);
    });
    this.worker.postMessage({ source }, [source]);
  }

  call<T>(name: string, given: object = {}, bytes?: Uint8Array): Promise<T> {
    const number = (this.numbers += 1);
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(number, { resolve: resolve as never, reject });
      this.worker.postMessage({ number, name, given, bytes });
    });
  }
}

const unzipped = (packed: Blob): Promise<ArrayBuffer> =>
  new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();

/** Read the bytes of a file, and decompress them if they are gzip data. */
export async function plain(file: Blob): Promise<Uint8Array> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isPacked = first === 0x1f && second === 0x8b;
  return new Uint8Array(await (isPacked ? unzipped(file) : file.arrayBuffer()));
}

/** Decode the WebAssembly module from the page, which stores it compressed by gzip, in base64. */
export function unpacked(text: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return unzipped(new Blob([bytes]));
}
