import { Failure } from "../domain/errors.ts";
import type { Values } from "./command.ts";
import type { Context } from "./context.ts";
import { plainJson } from "./envelope.ts";
import { openPage, type PAGE_BESIDE_OPTIONS, PAGE_OPTIONS } from "./open-page.ts";

/**
 * Does the work of a command, with the page beside it if that was asked for.
 *
 * A page that cannot be served is told before anything begins, and the page ends with the work. What it says goes where
 * the progress goes: stdout belongs to the answer.
 */
export async function withPage<T>(
  context: Context,
  values: Values<typeof PAGE_BESIDE_OPTIONS>,
  work: () => Promise<T>,
): Promise<T> {
  if (!values.ui) {
    refuseWithoutPage(values);
    return work();
  }
  const { progress } = context;
  const page = await openPage(context, values, ({ port, link }) =>
    progress.line(
      progress.mode === "events"
        ? plainJson({ event: "listening", port, link })
        : `Pawl's page is at ${link} until this ends. The link opens one window.`,
    ),
  );
  try {
    return await work();
  } finally {
    await page.close();
  }
}

function refuseWithoutPage(values: Values<typeof PAGE_BESIDE_OPTIONS>): void {
  for (const name of Object.keys(PAGE_OPTIONS) as (keyof typeof PAGE_OPTIONS)[])
    if (values[name] !== undefined && values[name] !== false)
      throw new Failure("usage/wrong", `--${name} is about the page; it goes with --ui.`, { option: name });
}
