import { createRequire, syncBuiltinESMExports } from "node:module";

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
type Module = Record<string, AnyFunction>;

/** What this process asked of the disk, in order. */
export interface FlushRecorder {
  /** `fsync PATH`, `rename FROM TO`, `write PATH`, `remove PATH`, `git ARGS`, `sync PATHS`, and what a test adds. */
  readonly events: string[];
  /** Where the first such event is; -1 where there is none. */
  readonly at: (event: string | RegExp) => number;
  readonly stop: () => void;
}

/**
 * Notes every flush, rename and child process of this process, below all ports.
 *
 * A power cut cannot be made in a plain test. What it would cost depends on the order of these calls alone.
 */
export function recordFlushes(): FlushRecorder {
  const require = createRequire(import.meta.url);
  const [fs, child] = [require("node:fs") as Module, require("node:child_process") as Module];
  const events: string[] = [];
  const paths = new Map<unknown, string>();
  const undo: (() => void)[] = [];
  const replace = (module: Module, name: string, around: (original: AnyFunction) => AnyFunction) => {
    const original = module[name]!;
    module[name] = around(original);
    undo.push(() => (module[name] = original));
  };
  replace(fs, "openSync", (original) =>
    function open(...args) {
      const fd = original.apply(this, args);
      paths.set(fd, String(args[0]));
      return fd;
    },
  ); // oxfmt-ignore
  const noting = (name: string, note: (...args: unknown[]) => string) =>
    replace(fs, name, (original) =>
      function noted(...args) {
        const answer = original.apply(this, args);
        events.push(note(...args));
        return answer;
      },
    ); // oxfmt-ignore
  const flushOf = (fd: unknown) => `fsync ${paths.get(fd) ?? String(fd)}`;
  noting("fsyncSync", flushOf);
  replace(fs, "fsync", (original) =>
    function flush(fd, onEnd) {
      const event = flushOf(fd);
      return original.call(this, fd, (...answer: unknown[]) => {
        events.push(event);
        (onEnd as AnyFunction)(...answer);
      });
    },
  ); // oxfmt-ignore
  noting("renameSync", (from, to) => `rename ${String(from)} ${String(to)}`);
  noting("writeFileSync", (path) => `write ${String(path)}`);
  noting("rmSync", (path) => `remove ${String(path)}`);
  replace(child, "spawn", (original) =>
    function spawn(...args) {
      const started = original.apply(this, args) as {
        once: (event: string, listener: (code: number | null) => void) => void;
      };
      const words = (args[1] as string[]).join(" ");
      // What it does is done when it has ended well.
      started.once("close", (code) => {
        if (code === 0) events.push(`${String(args[0])} ${words}`);
      });
      return started;
    },
  ); // oxfmt-ignore
  syncBuiltinESMExports();
  return {
    events,
    at: (event) => events.findIndex((one) => (typeof event === "string" ? one === event : event.test(one))),
    stop() {
      for (const one of undo) one();
      syncBuiltinESMExports();
    },
  };
}
