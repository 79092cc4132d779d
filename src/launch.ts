import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";

/**
 * Starts the command line from files that were compiled when Pawl was built.
 *
 * Compiling is a third of what a command costs beyond the start of Node itself, so the build keeps V8's own compiled
 * form beside each file, by version of Node. Where there is none for this Node, or V8 does not accept it, the files
 * are compiled as usual: the same code runs, a little later.
 */
const COMPILED = `compiled/${process.version}-${process.arch}`;

/** A hook as programs call it has an entry of its own, in a folder with all that it may need. */
const isHook = ([, , verb, event, ...more]: readonly string[]): boolean =>
  verb === "hook" && event !== undefined && !event.startsWith("-") && more.length === 0;

/** The entry of what was called. */
const entry = (): string => join(__dirname, isHook(process.argv) ? "hook/hook.cjs" : "cli/main.cjs");

interface Loaded {
  readonly script: Script;
  readonly module: { exports: unknown };
}

const loaded = new Map<string, Loaded>();

function load(filename: string): unknown {
  const known = loaded.get(filename);
  if (known) return known.module.exports;
  const folder = dirname(filename);
  // The build leaves nothing but ASCII in these files: one byte is one character, and nothing is to be decoded.
  const source = `(function (exports, require, module, __filename, __dirname) {${bytesOf(filename).toString("latin1")}\n})`;
  const script = new Script(source, { filename, ...compiledForm(filename) });
  const module = { exports: {} };
  loaded.set(filename, { script, module });
  const run = script.runInThisContext() as (...scope: readonly unknown[]) => void;
  const ask = (name: string): unknown => (name.startsWith("./") ? load(join(folder, name)) : require(name));
  run(module.exports, ask, module, filename, folder);
  return module.exports;
}

/** Where the compiled form of a file is kept. */
const compiledPath = (filename: string): string => join(dirname(filename), COMPILED, basename(filename));

function compiledForm(filename: string): { readonly cachedData?: Buffer } {
  try {
    return { cachedData: bytesOf(compiledPath(filename)) };
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

load(entry());

/** For the build, which calls more than once and writes down what V8 made of each file. */
module.exports = { loaded, load, entry, compiledPath };
