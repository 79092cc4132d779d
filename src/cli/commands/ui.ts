import { defineCommand } from "../command.ts";
import type { Context } from "../context.ts";
import { type OpenPage, openPage, PAGE_OPTIONS } from "../open-page.ts";
import { plainJson } from "../../journal/index.ts";

export const uiCommand = defineCommand({
  name: "ui",
  more: `The page is for this machine only. The printed link opens one window, once; the page itself can open more.
Commands that you start from it keep running when you close it. Ctrl-C ends the page. \`pawl run --ui\` serves the
page during a run.`,
  operands: [],
  options: PAGE_OPTIONS,
  examples: ["pawl ui", "pawl ui --read-only --no-open"],
  async run(context, values) {
    await (await context.pawl()).refuseAgents({ verb: "ui" });
    // Before the link is printed: its reader may press Ctrl-C at once.
    const ended = stopped(context);
    const page = await openPage(context, values, (opened) => announce(context, opened));
    await ended;
    await page.close();
    return { data: { port: page.port, ended: true }, text: () => "" };
  },
});

function announce({ stream, isForPrograms }: Context, { link, port }: Pick<OpenPage, "link" | "port">): void {
  if (isForPrograms) stream.line(plainJson({ event: "listening", port, link }));
  else {
    stream.line(`Pawl's page is at ${link}`);
    stream.line("The link opens one window. Ctrl-C ends it.");
  }
}

/** A signal is how it is meant to end. */
const stopped = ({ interruption }: Context): Promise<void> =>
  new Promise((resolve) => {
    const { signal, listen } = interruption();
    if (signal() === undefined) listen(resolve);
    else resolve();
  });
