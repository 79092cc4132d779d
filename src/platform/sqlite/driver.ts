import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DatabaseSync as Connection } from "node:sqlite";
import { Failure, isOlder } from "../../domain/index.ts";
import { cacheFolder, openUnpacked } from "./unpacked-driver.ts";

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
 * The shipped one has the same interface. It is opened by its path, because `require` takes a fifth of the time that a
 * whole command takes.
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

const nodeDriver = (): Driver => driver("node:sqlite", process.getBuiltinModule("node:sqlite"));

type Binding = { readonly DatabaseSync: new (path: string, options?: object) => Connection };

/** The version of the package that the shipped drivers come from; `npm run build` packs them. */
export const SHIPPED = "1.2.1";
const PACKAGE = "@photostructure/sqlite";

/** A package that a person installed beside Pawl also serves where the shipped driver does not load, as on musl. */
const shippedDriver = (): Driver => {
  let refusal: unknown;
  try {
    const unpacked = unpackedBinding();
    if (unpacked) return driver(PACKAGE, unpacked);
  } catch (error) {
    refusal = error;
  }
  return driver(PACKAGE, installedBinding(refusal));
};

/** From the drivers that the package has for four platforms, packed: unpacked, they would be two thirds of it. */
function unpackedBinding(): Binding | undefined {
  const name = `sqlite-${SHIPPED}-${process.platform}-${process.arch}.node`;
  const packed = findAbove(join("drivers", `${name}.br`));
  return packed === undefined
    ? undefined
    : (openUnpacked(packed, name, [dirname(packed), cacheFolder(process.env)]) as Binding);
}

/** In a clone that was not built, and on other platforms where a person installed the package beside Pawl. */
function installedBinding(refusal: unknown): Binding {
  const require = process.getBuiltinModule("node:module").createRequire(join(HERE, "driver.js"));
  try {
    return require(PACKAGE) as Binding;
  } catch (error) {
    if (refusal !== undefined && !isMusl()) throw refusal;
    const { node, platform, arch } = { node: process.version, ...process };
    throw new Failure(
      "store/no-driver",
      `Node ${node} has no SQLite that Pawl can use, and Pawl ships none for ${platform}-${arch}${isMusl() ? " with musl" : ""}.`,
      { node, platform, arch, package: `${PACKAGE}@${SHIPPED}` },
      { cause: error },
    );
  }
}

// In the bundle `__dirname` exists; in source it does not.
const HERE = typeof __dirname === "string" ? __dirname : import.meta.dirname;

function findAbove(path: string): string | undefined {
  for (let folder = HERE; ; folder = dirname(folder)) {
    const found = join(folder, path);
    if (existsSync(found)) return found;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Node's own report would name the libc too, but costs 3 ms; the loader's file says the same. */
const isMusl = (): boolean =>
  process.platform === "linux" &&
  existsSync(`/lib/ld-musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`);

const driver = (name: string, { DatabaseSync }: Binding): Driver => ({
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
