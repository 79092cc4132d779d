import { Failure } from "../../domain/errors.ts";
import { refuseInSession } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import type { Context } from "../context.ts";
import { plainJson } from "../envelope.ts";

export const ui = defineCommand({
  name: "ui",
  about: "Open a page that shows everything and lets you act",
  more: `The page is for this machine only. The link that is printed opens one window, once; the page itself can open more.
Commands that are started from it go on when it is closed. Ctrl-C ends it.`,
  operands: [],
  options: {
    port: { type: "number", value: "N", about: "Listen on this port (any that is free)" },
    "read-only": { type: "flag", about: "Show, but let nobody act" },
    "no-open": { type: "flag", about: "Print the link, and open no browser" },
  },
  examples: ["pawl ui", "pawl ui --read-only --no-open"],
  async run(context, values) {
    refuseInSession(context, "ui");
    const port = values.port ?? 0;
    if (port < 0 || port > 65_535)
      throw new Failure("usage/wrong", "--port is a number from 0 to 65535.", { port });
    const [{ startUi }, { openBrowser }] = await Promise.all([
      import("../../web/start-ui.ts"),
      import("../../web/open-browser.ts"),
    ]);
    const page = await startUi({
      pawl: await context.pawl(),
      env: context.env,
      cwd: context.cwd,
      port,
      isReadOnly: values["read-only"] ?? false,
      program: context.program ?? [],
      version: context.version ?? "",
    });
    // Before the link is told: whoever reads it may press Ctrl-C at once.
    const ended = stopped(context);
    let forget = (): void => undefined;
    const link = page.newLink(() => forget());
    announce(context, link, page.port);
    const isWatched = context.progress.mode === "live" && !values["no-open"];
    if (isWatched) forget = openBrowser(link, context.env);
    await ended;
    forget();
    await page.close();
    return { data: { port: page.port, ended: true }, text: () => "" };
  },
});

function announce({ stream, isForPrograms }: Context, link: string, port: number): void {
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
