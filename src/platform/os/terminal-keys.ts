const CTRL_C = "\u0003";
const LINE_END = /[\r\n]$/;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const LEAVE: ReadonlySet<string> = new Set(["\u0004", "\u001b"]);

/**
 * Waits for one of these keys at the terminal, without Enter; other keys say what is wanted.
 *
 * A key is one that arrives alone. What was typed ahead or pasted arrives together, and was meant for somebody else: a
 * letter inside `clear` must decide nothing.
 *
 * In raw mode Ctrl-C is only a byte, so the signal that it stands for is sent by us: whoever listens tidies up as ever.
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
      // Resolved by the signal itself, after those who listened before have heard it.
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
