import { safeText } from "../../domain/index.ts";
import type { WorkerEvent } from "../../runs/index.ts";
import type { Context } from "../context.ts";

/** Says that a check has begun, to people who would wait without knowing for what. */
export const checkReporter =
  ({ progress }: Pick<Context, "progress">, why: string) =>
  (event: WorkerEvent): void => {
    if (event.event !== "command" || (progress.mode !== "lines" && progress.mode !== "live")) return;
    progress.line(`Verifying ${why}; log: ${safeText(event.log)}`);
  };
