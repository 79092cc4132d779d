import { Failure } from "../domain/errors.ts";
import type { Context } from "./context.ts";
import type { Values } from "./command.ts";

/** How the page is served, wherever it is. */
export const PAGE_OPTIONS = {
  port: { type: "number", value: "N", about: "Listen on this port (any that is free)" },
  "read-only": { type: "flag", about: "Show, but let nobody act" },
  "no-open": { type: "flag", about: "Print the link, and open no browser" },
} as const;

/** The same for commands that work, and may have the page beside them. */
export const PAGE_BESIDE_OPTIONS = {
  ui: { type: "flag", about: "Serve the page meanwhile, as `pawl ui` does" },
  port: { ...PAGE_OPTIONS.port, about: "With --ui: listen on this port (any that is free)" },
  "read-only": { ...PAGE_OPTIONS["read-only"], about: "With --ui: show, but let nobody act" },
  "no-open": { ...PAGE_OPTIONS["no-open"], about: "With --ui: print the link, and open no browser" },
} as const;

export interface OpenPage {
  readonly port: number;
  readonly link: string;
  readonly close: () => Promise<void>;
}

/** Serves the page, says where, and opens a browser where somebody sits in front of one. */
export async function openPage(
  context: Context,
  values: Values<typeof PAGE_OPTIONS>,
  announce: (page: Pick<OpenPage, "port" | "link">) => void,
): Promise<OpenPage> {
  const port = values.port ?? 0;
  if (port < 0 || port > 65_535)
    throw new Failure("usage/wrong", "--port is a number from 0 to 65535.", { port });
  const [{ startUi }, { openBrowser }] = await Promise.all([
    import("../web/start-ui.ts"),
    import("../platform/os/open-browser.ts"),
  ]);
  const page = await startUi({
    // A connection of its own: what reads for the page must not stand inside the transaction of somebody who works.
    pawl: await (context.pawlAt ?? (() => context.pawl()))(context.cwd),
    env: context.env,
    cwd: context.cwd,
    port,
    isReadOnly: values["read-only"] ?? false,
    program: context.program ?? [],
    version: context.version ?? "",
  });
  let forget = (): void => undefined;
  const link = page.newLink(() => forget());
  announce({ port: page.port, link });
  if (context.progress.mode === "live" && !values["no-open"]) forget = openBrowser(link, context.env);
  return {
    port: page.port,
    link,
    async close() {
      forget();
      await page.close();
    },
  };
}
