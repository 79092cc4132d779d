import { type IPty, spawn } from "@lydell/node-pty";
import { onTestFinished } from "vitest";
import { PAWL } from "./cli.ts";
import { cleanEnv } from "./repository.ts";
import { until } from "./until.ts";

/** `pawl` at a terminal of its own, with a person who reads and presses keys. */
export interface Terminal {
  /** Everything that was shown, without what only moves the cursor or paints. */
  readonly shown: () => string;
  /** Waits until a text was shown; a text that was shown before counts only if `after` was not. */
  readonly sees: (text: string) => Promise<void>;
  readonly press: (keys: string) => void;
  readonly ended: Promise<number>;
}

interface Place {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A terminal that does not know its width says 0. */
  readonly columns?: number;
  readonly rows?: number;
}

/** A pseudo-terminal is never made with 0 columns, so it gets them afterwards. */
const WITHOUT_WIDTH = ["-c", 'stty cols 0; exec "$@"', "sh"];

export function atTerminal(
  { cwd, env = {}, columns = 200, rows = 50 }: Place,
  ...args: readonly string[]
): Terminal {
  const command = [process.execPath, PAWL, ...args];
  const [program, ...words] = columns === 0 ? ["sh", ...WITHOUT_WIDTH, ...command] : command;
  const terminal: IPty = spawn(program!, words, {
    name: "xterm",
    cols: columns === 0 ? 80 : columns,
    rows,
    cwd,
    env: cleanEnv({ ...env, TERM: "xterm" }),
  });
  let output = "";
  let isOver = false;
  terminal.onData((text) => (output += text));
  const ended = new Promise<number>((resolve) => {
    terminal.onExit(({ exitCode, signal }) => {
      isOver = true;
      resolve(signal ? 128 + signal : exitCode);
    });
  });
  onTestFinished(() => {
    if (!isOver) terminal.kill("SIGKILL");
  });
  // oxlint-disable-next-line no-control-regex -- that is what is taken out
  const shown = () => output.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "").replaceAll("\r", "");
  return {
    shown,
    async sees(text) {
      await until(() => shown().includes(text) || isOver);
      if (!shown().includes(text)) throw new Error(`"${text}" was never shown, but:\n${shown()}`);
    },
    press: (keys) => terminal.write(keys),
    ended,
  };
}
