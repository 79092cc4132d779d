const CTRL_C = "\u0003";
const LINE_END = /[\r\n]$/;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const LEAVE: ReadonlySet<string> = new Set(["\u0004", "\u001b"]);

/**
 * Waits for one of these keys at the terminal, without Enter; other keys say what is wanted.
 *
 * A key is one that arrives alone. What was typed ahead or pasted arrives together, and was meant for another program: a
 * letter inside `clear` must decide nothing.
 *
 * In raw mode Ctrl-C is only a byte, so the signal that it stands for is sent by us: its handlers clean up as usual.
 */
export function askKey(
  keys: readonly string[],
  write: (text: string) => void,
  { stdin, pid }: Pick<NodeJS.Process, "stdin" | "pid"> = process,
): Promise<string | undefined> {
  const prompt = `${keys.map((key) => `[${key}]`).join("/")} `;
  return new Promise((resolve) => {
    const wasRaw = stdin.isRaw;
    const done = (key: string | undefined) => {
      stdin.off("data", heard).off("end", ended).setRawMode(wasRaw).pause();
      for (const signal of SIGNALS) process.off(signal, ended);
      write(`${key ?? ""}\r\n`);
      resolve(key);
    };
    const ended = () => done(undefined);
    const heard = (bytes: Buffer) => {
      const text = bytes.toString();
      // Resolved by the signal itself, after the handlers that were added before have run.
      if (text.includes(CTRL_C)) {
        process.kill(pid, "SIGINT");
        return;
      }
      const key = text.replace(LINE_END, "").toUpperCase();
      if (keys.includes(key)) done(key);
      else if (LEAVE.has(text)) done(undefined);
      else write(`\r\n${prompt}`);
    };
    for (const signal of SIGNALS) process.once(signal, ended);
    // Raw mode comes first: a person may answer the prompt at once, and a terminal in line mode would echo the key.
    stdin.setRawMode(true).resume().on("data", heard).once("end", ended);
    write(prompt);
  });
}

const CTRL_Z = "\u001a";
const CTRL_BACKSLASH = "\u001c";

/**
 * Calls with each key that is pressed at the terminal, in lower case, until the answer is called. Several that arrive
 * together were typed ahead or pasted, and are no key.
 *
 * Raw mode takes the keys that stand for signals from the terminal, so they are sent by us, to this process alone. Before
 * it is stopped, and when it is continued, the mode changes with it: the shell must get its own terminal back.
 */
export function watchKeys(
  onKey: (key: string) => void,
  { stdin, pid }: Pick<NodeJS.Process, "stdin" | "pid"> = process,
): () => void {
  const continued = () => void stdin.setRawMode(true);
  const heard = (bytes: Buffer) => {
    const text = bytes.toString();
    if (text.includes(CTRL_C)) process.kill(pid, "SIGINT");
    else if (text.includes(CTRL_BACKSLASH)) process.kill(pid, "SIGQUIT");
    else if (text.includes(CTRL_Z)) {
      stdin.setRawMode(false);
      process.kill(pid, "SIGTSTP");
    } else if (text.length === 1) onKey(text.toLowerCase());
  };
  stdin.setRawMode(true).resume().on("data", heard);
  process.on("SIGCONT", continued);
  return () => {
    process.off("SIGCONT", continued);
    stdin.off("data", heard).setRawMode(false).pause();
  };
}
