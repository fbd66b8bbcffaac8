// Build the page from its parts: `node build.js MODULE PAGE`. The page is one file that needs no network.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const live = join(dirname(fileURLToPath(import.meta.url)), "..");
const [module, page] = process.argv.slice(2);
const read = (...path) => readFileSync(join(live, ...path), "utf8");

const bundled = async (name) => {
  const { outputFiles } = await build({
    entryPoints: [join(live, "src", name)],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    write: false,
    charset: "ascii",
    legalComments: "none",
  });
  // A closing script tag inside the script would end the script.
  return outputFiles[0].text.trim().replaceAll("</script", String.raw`<\/script`);
};

const script = await bundled("main.ts");
const hash = createHash("sha256").update(script).digest("base64");
const version = /^version = "(.*)"/m.exec(read("..", "Cargo.toml"))[1];
const parts = {
  version,
  policy:
    `default-src 'none'; script-src 'sha256-${hash}' 'wasm-unsafe-eval'; worker-src blob:; style-src 'unsafe-inline';` +
    " img-src data: blob:; base-uri 'none'; form-action 'none'",
  style: read("..", "python", "sledsim", "pages", "style.css") + read("src", "style.css"),
  module: gzipSync(readFileSync(module), { level: 9 }).toString("base64"),
  worker: await bundled("worker.ts"),
  script,
};
const text = read("src", "page.html").replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
mkdirSync(dirname(page), { recursive: true });
writeFileSync(`${page}.part`, text);
renameSync(`${page}.part`, page);
console.log(`${page}: ${Math.round(text.length / 1000)} kB`);
