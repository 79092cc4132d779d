import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";

/**
 * Starts the command line from files that were compiled when Pawl was built.
 *
 * Compiling is a third of what a command costs beyond the start of Node itself, so the build keeps V8's own compiled
 * form beside each file, by version of Node. Where there is none for this Node, or V8 does not accept it, the files
 * are compiled as usual: the same code runs, a little later.
 */
const FOLDER = join(__dirname, "cli");
const COMPILED = join(FOLDER, "compiled", `${process.version}-${process.arch}`);

interface Loaded {
  readonly script: Script;
  readonly module: { exports: unknown };
}

const loaded = new Map<string, Loaded>();

function load(name: string): unknown {
  const known = loaded.get(name);
  if (known) return known.module.exports;
  const filename = join(FOLDER, name);
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(filename, "utf8")}\n})`;
  const script = new Script(source, { filename, ...compiledForm(name) });
  const module = { exports: {} };
  loaded.set(name, { script, module });
  const run = script.runInThisContext() as (...scope: readonly unknown[]) => void;
  run(module.exports, ask, module, filename, FOLDER);
  return module.exports;
}

const ask = (name: string): unknown => (name.startsWith("./") ? load(name.slice(2)) : require(name));

function compiledForm(name: string): { readonly cachedData?: Buffer } {
  try {
    return { cachedData: bytesOf(join(COMPILED, name)) };
  } catch {
    return {};
  }
}

/** Half of what Node's own reader of whole files takes the first time. */
function bytesOf(path: string): Buffer {
  const fd = openSync(path, "r");
  const bytes = Buffer.allocUnsafeSlow(fstatSync(fd).size);
  readSync(fd, bytes);
  closeSync(fd);
  return bytes;
}

load("main.cjs");

/** For the build, which writes down what V8 made of each. */
module.exports = { loaded, load, COMPILED };
