import { createRequire, syncBuiltinESMExports } from "node:module";
import { basename } from "node:path";
import { type Connection, type Driver, loadDriver } from "../../src/platform/sqlite/driver.ts";

/** Hears of every effect of this process on the outside, just before it and just after it. */
export interface EffectWatcher {
  readonly before: (effect: string) => void;
  readonly after: (effect: string) => void;
  /** Whether each statement of a long script is an effect of its own; else only some of them are. */
  readonly everyStatement?: boolean;
  /** Other SQL instead of what Pawl sends: for programs that are broken on purpose. */
  readonly rewrite?: (sql: string) => string;
}

/**
 * Puts a watcher under everything Pawl uses to touch the outside: each call of an SQL connection (the database and
 * the lifelines), each write to the file system, each git process.
 *
 * It replaces what lies below the ports, in this process only, so production code needs no hook. What is not watched
 * any more after a change of `src/` shows as a fall in the number of crash points.
 */
export function watchEffects(watcher: EffectWatcher): void {
  watchSql(watcher);
  watchFiles(watcher);
  watchProcesses(watcher);
}

export function watchSql(watcher: EffectWatcher): void {
  const driver = loadDriver() as { open: Driver["open"] };
  const open = driver.open.bind(driver);
  driver.open = (path, options) =>
    watchedConnection(
      around(watcher, `open ${basename(path)}`, () => open(path, options)),
      watcher,
    );
}

type Prepared = ReturnType<Connection["prepare"]>;

function watchedConnection(connection: Connection, watcher: EffectWatcher): Connection {
  const rewrite = watcher.rewrite ?? ((sql: string) => sql);
  return proxy(connection, {
    exec(text: string) {
      const statements = statementsOf(text);
      for (const [index, sql] of statements.entries()) {
        if (watcher.everyStatement || index % sampling(statements.length) === 0)
          watcher.before(`exec ${shortened(sql)}`);
        connection.exec(rewrite(sql));
      }
      // Within a script, after one statement is before the next.
      watcher.after(`exec ${shortened(statements.at(-1) ?? "")}`);
    },
    prepare: (sql: string) =>
      watchedStatement(connection.prepare(rewrite(sql)), shortened(sql), thinned(watcher)),
    close: () => around(watcher, "close", () => connection.close()),
  });
}

/** A new schema is a hundred statements in one transaction, and a crash after any of them is a crash like another. */
const sampling = (statements: number): number => (statements > 12 ? 8 : 1);

/** Of a statement that runs over and over, as for every row of a table, the first few are reported and then every eighth. */
function thinned(watcher: EffectWatcher): EffectWatcher {
  let runs = 0;
  const isTold = () => watcher.everyStatement || runs <= 6 || runs % 8 === 0;
  return {
    before(effect) {
      runs += 1;
      if (isTold()) watcher.before(effect);
    },
    after(effect) {
      if (isTold()) watcher.after(effect);
    },
  };
}

function watchedStatement(statement: Prepared, sql: string, watcher: EffectWatcher): Prepared {
  const watched =
    (method: "run" | "get" | "all") =>
    (...args: never[]): unknown =>
      around(watcher, `${method} ${sql}`, () =>
        (statement[method] as (...args: never[]) => unknown)(...args),
      );
  return proxy(statement, { run: watched("run"), get: watched("get"), all: watched("all") });
}

/** Everything else goes to the real object, called on itself: native objects insist on their own `this`. */
function proxy<T extends object>(target: T, replaced: Readonly<Record<string, unknown>>): T {
  return new Proxy(target, {
    get(real, key) {
      if (typeof key === "string" && key in replaced) return replaced[key];
      const value: unknown = Reflect.get(real, key, real);
      return typeof value === "function" ? (value as (...args: never[]) => unknown).bind(real) : value;
    },
  });
}

function around<T>(watcher: EffectWatcher, effect: string, act: () => T): T {
  watcher.before(effect);
  const result = act();
  watcher.after(effect);
  return result;
}

/** A script is as many effects as it has statements. The body of a trigger has semicolons of its own. */
function statementsOf(text: string): readonly string[] {
  const statements: string[] = [];
  let open = "";
  for (const part of text.split(/;(?=\s|$)/)) {
    open = open === "" ? part : `${open};${part}`;
    if (/^\s*create trigger/.test(open) && !/\bend\s*$/.test(open)) continue;
    if (open.trim() !== "") statements.push(open);
    open = "";
  }
  return statements;
}

const shortened = (sql: string): string => sql.trim().replace(/\s+/g, " ").slice(0, 80);

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
type Module = Record<string, AnyFunction>;

const WRITERS = [
  "writeSync", "writeFileSync", "appendFileSync", "fsyncSync", "ftruncateSync", "renameSync", "rmSync", "unlinkSync",
  "mkdirSync", "rmdirSync", "chmodSync", "linkSync", "symlinkSync", "copyFileSync",
] as const; // oxfmt-ignore

/** Changes the built-in module for everybody in this process, also for those who imported it by name before. */
function watchFiles(watcher: EffectWatcher): void {
  const fs = createRequire(import.meta.url)("node:fs") as Module;
  for (const name of WRITERS) {
    const original = fs[name]!;
    fs[name] = function watched(...args) {
      return around(watcher, `${name} ${what(args[0])}`, () => original.apply(this, args));
    };
  }
  const fsync = fs["fsync"]!;
  fs["fsync"] = function watched(fd, onEnd) {
    const effect = `fsync ${what(fd)}`;
    watcher.before(effect);
    return fsync.call(this, fd, (...answer: unknown[]) => {
      watcher.after(effect);
      (onEnd as AnyFunction)(...answer);
    });
  };
  const openSync = fs["openSync"]!;
  fs["openSync"] = function watched(...args) {
    return makesFiles(args[1])
      ? around(watcher, `openSync ${what(args[0])}`, () => openSync.apply(this, args))
      : openSync.apply(this, args);
  };
  syncBuiltinESMExports();
}

const what = (target: unknown): string =>
  typeof target === "string" ? basename(target) : `fd ${String(target)}`;

const makesFiles = (flags: unknown): boolean => typeof flags === "string" && /[wax]/.test(flags);

/** A git process counts as one effect: it has happened when the process has ended. */
function watchProcesses(watcher: EffectWatcher): void {
  const module = createRequire(import.meta.url)("node:child_process") as Module;
  const spawn = module["spawn"]!;
  module["spawn"] = function watched(...args) {
    const effect = `spawn ${String(args[0])} ${(args[1] as string[])
      .filter((arg) => !arg.startsWith("-"))
      .join(" ")
      .slice(-60)}`;
    watcher.before(effect);
    const child = spawn.apply(this, args) as { once: (event: string, heard: () => void) => void };
    child.once("close", () => watcher.after(effect));
    return child;
  };
  syncBuiltinESMExports();
}
