/**
 * Asks for a line at the terminal; undefined where the person leaves with Ctrl-D.
 *
 * The terminal stays in its own mode: it edits the line, and Ctrl-C ends the process as everywhere.
 */
export function askLine(
  prompt: string,
  write: (text: string) => void,
  {
    stdin,
  }: { readonly stdin: Pick<NodeJS.ReadStream, "on" | "off" | "once" | "resume" | "pause"> } = process,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    let typed = "";
    const done = (line: string | undefined) => {
      stdin.off("data", onData).off("end", onEnd).pause();
      resolve(line);
    };
    const onEnd = () => {
      write("\n");
      done(undefined);
    };
    const onData = (bytes: Buffer) => {
      typed += bytes.toString();
      const end = typed.search(/[\r\n]/);
      if (end !== -1) done(typed.slice(0, end));
    };
    stdin.on("data", onData).once("end", onEnd);
    stdin.resume();
    // Last: what is typed after the prompt must be read.
    write(prompt);
  });
}
