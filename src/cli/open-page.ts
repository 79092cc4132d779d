import { Failure } from "../domain/index.ts";
import type { Context, ServedPage } from "./context.ts";
import { plainJson } from "../journal/index.ts";
import type { CommandOutcome, OptionValues } from "./command.ts";
import { loadOpenBrowser } from "../platform/os/index.ts";

/** How the page is served, wherever it is. */
export const PAGE_OPTIONS = {
  port: {
    type: "number",
    value: "N",
    about: "Listen on this port (the repository's own, or any that is free)",
  },
  "read-only": { type: "flag", about: "Show everything, allow no actions" },
  "no-open": { type: "flag", about: "Print the link, and open no browser" },
} as const;

/** The same for commands that work, and may have the page beside them. */
export const PAGE_BESIDE_OPTIONS = {
  ui: { type: "flag", about: "Serve the page meanwhile, as `pawl ui` does" },
  port: { ...PAGE_OPTIONS.port, about: "With --ui: listen on this port (the repository's own, or any)" },
  "read-only": { ...PAGE_OPTIONS["read-only"], about: "With --ui: show everything, allow no actions" },
  "no-open": { ...PAGE_OPTIONS["no-open"], about: "With --ui: print the link, and open no browser" },
} as const;

export interface OpenPage extends Omit<ServedPage, "newLink"> {
  readonly link: string;
}

/** Serves the page, says where, and opens a browser where a person sits in front of one. */
export async function openPage(
  context: Context,
  values: OptionValues<typeof PAGE_OPTIONS>,
  announce: (page: Pick<OpenPage, "port" | "link">) => void,
): Promise<OpenPage> {
  const { port } = values;
  if (port !== undefined && (port < 0 || port > 65_535))
    throw new Failure("usage/wrong", "--port is a number from 0 to 65535.", { port });
  const { openBrowser } = await loadOpenBrowser();
  const page = await context.servers!.servePage({ port, isReadOnly: values["read-only"] ?? false });
  let forget = (): void => undefined;
  const link = page.newLink(() => forget());
  announce({ port: page.port, link });
  if (context.progress.mode === "live" && !values["no-open"]) forget = openBrowser(link, context.env);
  return {
    port: page.port,
    link,
    whenUnwatched: page.whenUnwatched,
    async close() {
      forget();
      await page.close();
    },
  };
}

/**
 * Does the work of a command, with the page beside it if that was asked for.
 *
 * A page that cannot be served fails before anything begins. The page outlives the work for as long as one of its windows
 * is open, so that a person who watched can read the outcome; a signal ends both. What it says goes where the progress
 * goes: stdout belongs to the answer.
 */
export async function withPage(
  context: Context,
  values: OptionValues<typeof PAGE_BESIDE_OPTIONS>,
  work: () => Promise<CommandOutcome>,
): Promise<CommandOutcome> {
  if (!values.ui) {
    refuseWithoutPage(values);
    return work();
  }
  const { progress } = context;
  const page = await openPage(context, values, ({ port, link }) =>
    progress.line(
      progress.mode === "events"
        ? plainJson({ event: "listening", port, link })
        : `Pawl's page is at ${link}. The link opens one window.`,
    ),
  );
  try {
    const outcome = await work();
    return { ...outcome, afterwards: () => stayOpen(context, page) };
  } catch (error) {
    await page.close();
    throw error;
  }
}

/** Until its last window is closed, or a signal comes. Without a window it ends at once. */
async function stayOpen(context: Context, page: OpenPage): Promise<void> {
  const { progress } = context;
  const { signal, listen } = context.interruption();
  const stopped = new Promise<void>((resolve) => {
    if (signal() === undefined) listen(resolve);
    else resolve();
  });
  const words = "The page stays open until its windows are closed. Ctrl-C ends it now.";
  const sayIt = (): void => {
    if (progress.mode === "live" || progress.mode === "lines") progress.line(words);
  };
  await Promise.race([stopped, page.whenUnwatched(sayIt)]);
  await page.close();
}

function refuseWithoutPage(values: OptionValues<typeof PAGE_BESIDE_OPTIONS>): void {
  for (const name of Object.keys(PAGE_OPTIONS) as (keyof typeof PAGE_OPTIONS)[])
    if (values[name] !== undefined && values[name] !== false)
      throw new Failure("usage/wrong", `--${name} is about the page; it goes with --ui.`, { option: name });
}

/** The page for who asks for it while a command is at work; it ends with the command. */
export function pageOnDemand(context: Context) {
  const { progress } = context;
  let opened: Promise<OpenPage> | undefined;
  // What is drawn in place stands below it, and is drawn again.
  const say = (text: string): void => {
    if (progress.mode === "live") progress.redraw([]);
    progress.line(text);
  };
  return {
    open: () => {
      opened ??= openPage(context, {}, ({ link }) => say(`Pawl's page is at ${link} until this ends.`));
      // A page that cannot be served must not end the run.
      opened.catch((error: unknown) => say(`The page cannot be opened: ${String(error)}`));
    },
    close: async () => (await opened?.catch(() => undefined))?.close(),
  };
}
