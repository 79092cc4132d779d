import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DatabaseSync as Connection } from "node:sqlite";
import { Failure, isOlder } from "../../domain/index.ts";

export type { Connection };
export type DriverOptions = { readonly readOnly?: boolean; readonly timeout?: number };

export interface Driver {
  readonly name: string;
  readonly open: (path: string, options?: DriverOptions) => Connection;
}

/** Older engines have a fault in resetting the write-ahead log that can lose committed rows. */
export const OLDEST_SQLITE = "3.51.3";

/**
 * The SQLite of this process: Node's own where it is recent enough, else the one that ships with Pawl.
 *
 * The shipped one is a prebuilt file with the same interface. It is opened directly, because finding it the usual
 * way costs a fifth of the time a whole command takes.
 */
export function loadDriver(): Driver {
  loaded ??= shippedIsNeeded() ? shippedDriver() : nodeDriver();
  return loaded;
}

let loaded: Driver | undefined;

function shippedIsNeeded(): boolean {
  const { node, sqlite } = process.versions as { node: string; sqlite?: string };
  return isOlder(node, "24.0.0") || sqlite === undefined || isOlder(sqlite, OLDEST_SQLITE);
}

function nodeDriver(): Driver {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  return driver("node:sqlite", DatabaseSync);
}

function shippedDriver(): Driver {
  const platform = `${process.platform}-${process.arch}`;
  const libc = process.platform === "linux" && isMusl() ? "musl" : "glibc";
  const module = { exports: {} as { DatabaseSync: new (path: string, options?: object) => Connection } };
  try {
    process.dlopen(
      module,
      join(packageFolder(), "prebuilds", platform, `@photostructure+sqlite.${libc}.node`),
    );
  } catch {
    // An unusual platform or installation: let Node and the package look for themselves.
    module.exports = nodeRequire()(PACKAGE) as typeof module.exports;
  }
  return driver("@photostructure/sqlite", module.exports.DatabaseSync);
}

const PACKAGE = "@photostructure/sqlite";

// In the bundle `require` and `__dirname` exist; in source they do not.
const nodeRequire = () =>
  typeof require === "function"
    ? require
    : process.getBuiltinModule("node:module").createRequire(import.meta.url);

/** Node's rule, the nearest `node_modules` upwards, without Node's price: `require.resolve` takes 3 ms. */
function packageFolder(): string {
  let folder = typeof __dirname === "string" ? __dirname : import.meta.dirname;
  for (;;) {
    const found = join(folder, "node_modules", PACKAGE);
    if (existsSync(found) || dirname(folder) === folder) return found;
    folder = dirname(folder);
  }
}

/** Node's own report would name the libc too, but costs 3 ms; the loader's file tells the same. */
function isMusl(): boolean {
  return existsSync(`/lib/ld-musl-${MUSL_ARCH[process.arch] ?? "x86_64"}.so.1`);
}

const MUSL_ARCH: Readonly<Record<string, string>> = { x64: "x86_64", arm64: "aarch64" };

const driver = (name: string, DatabaseSync: new (path: string, options?: object) => Connection): Driver => ({
  name,
  open: (path, options = {}) => new DatabaseSync(path, { ...options }),
});

/** Asked of the engine itself, not of the package around it. */
export const engineVersion = (connection: Connection): string =>
  String(connection.prepare("select sqlite_version() as version").get()?.["version"]);

export function refuseOldEngine(version: string): void {
  if (!isOlder(version, OLDEST_SQLITE)) return;
  throw new Failure(
    "store/engine-too-old",
    `SQLite ${version} can lose committed data; Pawl needs ${OLDEST_SQLITE} or newer.`,
    { version, needed: OLDEST_SQLITE },
  );
}
