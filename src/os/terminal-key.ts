/**
 * Waits for one key on the terminal that stdin is. Undefined when the terminal is closed.
 *
 * The terminal is given back as it was, whatever happens: left raw, it would show nothing of what people type next.
 */
export function readKey(): Promise<string | undefined> {
  const { stdin } = process;
  stdin.setRawMode(true);
  return new Promise<string | undefined>((resolve) => {
    const done = (key: string | undefined) => {
      stdin.off("data", hear);
      stdin.off("end", close);
      stdin.setRawMode(false);
      stdin.pause();
      resolve(key);
    };
    const hear = (bytes: Buffer) => done(bytes.toString("utf8").slice(0, 1));
    const close = () => done(undefined);
    stdin.on("data", hear).on("end", close).resume();
  });
}
