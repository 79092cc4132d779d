import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

/** A process that answers each line of JSON on its input with one on its output. */
export interface Conversation {
  readonly process: ChildProcess;
  readonly ask: <T>(question: object) => Promise<T>;
  /** The next line that it says of its own accord. */
  readonly next: <T>() => Promise<T>;
  /** The next line as it is. */
  readonly word: () => Promise<string>;
  /** Ends the process by its id, however it is, and waits until it is gone. */
  readonly end: () => Promise<void>;
}

export function converse(child: ChildProcess): Conversation {
  const waiting: { resolve: (line: string) => void; reject: (error: Error) => void }[] = [];
  const heard: string[] = [];
  let stderr = "";
  let gone: string | undefined;
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  createInterface({ input: child.stdout! }).on("line", (line) => {
    const first = waiting.shift();
    if (first) first.resolve(line);
    else heard.push(line);
  });
  const over = new Promise<void>((resolve) => {
    child.on("close", (code, signal) => {
      gone = `the process ended (${signal ?? code}): ${stderr}`;
      for (const { reject } of waiting.splice(0)) reject(new Error(gone));
      resolve();
    });
  });
  const word = (): Promise<string> => {
    const line = heard.shift();
    if (line !== undefined) return Promise.resolve(line);
    if (gone !== undefined) return Promise.reject(new Error(gone));
    return new Promise<string>((resolve, reject) => {
      waiting.push({ resolve, reject });
    });
  };
  const next = async <T>(): Promise<T> => JSON.parse(await word()) as T;
  return {
    process: child,
    word,
    next,
    ask<T>(question: object) {
      child.stdin!.write(`${JSON.stringify(question)}\n`);
      return next<T>();
    },
    async end() {
      if (gone === undefined) child.kill("SIGKILL");
      await over;
    },
  };
}
