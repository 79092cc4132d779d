import type { CommandOutcome } from "../command.ts";
import { columns } from "../text/layout.ts";
import type { FileReport } from "./apply-set-up.ts";
import { SET_UP_NAMES } from "./set-ups.ts";
import { snakeCase } from "../../journal/index.ts";

export const AGENT = {
  name: "agent",
  about: `One of ${SET_UP_NAMES.join(", ")}; all of them when left out`,
  required: false,
} as const;

export const setUpOutcome = (files: readonly FileReport[]): CommandOutcome => ({
  data: snakeCase({ files }),
  text: (paint) =>
    columns(
      files.map(({ agent, path, about, installed, changed }) => {
        const state = installed ? paint.green("installed") : "not installed";
        return [paint.bold(agent), paint.plain(path), `${about}: ${state}${changed ? " (changed now)" : ""}`];
      }),
    ),
});
