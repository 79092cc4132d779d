import { Failure } from "../../domain/index.ts";
import type { StoreKind } from "../../platform/ports/index.ts";
import { defineCommand } from "../command.ts";
import { snakeCase } from "../../journal/index.ts";

const STORES = ["sqlite", "postgres"] as const satisfies readonly StoreKind[];

export const stateMigrateCommand = defineCommand({
  name: "state migrate",
  more: `For people. The server is the one PAWL_DATABASE_URL or pawl.toml names. Pawl compares counts and hashes of
both sides; the target must be empty or hold exactly the same. The source keeps its rows and is marked as moved; no
command uses them again.`,
  operands: [],
  options: {
    from: { type: "text", value: "STORE", choices: STORES, about: "Where the state is: sqlite or postgres" },
    to: { type: "text", value: "STORE", choices: STORES, about: "Where it is copied to" },
  },
  examples: ["pawl state migrate --from sqlite --to postgres"],
  async run(context, { from, to }) {
    if (from === undefined || to === undefined) {
      throw new Failure("usage/wrong", `state migrate needs --${from === undefined ? "from" : "to"}.`, {});
    }
    const answer = await (await context.pawl()).copyStore({ from: from as StoreKind, to: to as StoreKind });
    return {
      data: snakeCase(answer),
      text: (paint) => {
        const rows = answer.tables
          .filter((table) => table.rows > 0)
          .map(({ table, rows }) => `  ${table.padEnd(16)} ${rows}`);
        const line = answer.copied
          ? `${paint.green("Copied")} everything from ${from} to ${to}; both sides are equal.`
          : `${to} holds exactly what ${from} holds; nothing to do.`;
        return [line, ...rows].join("\n");
      },
    };
  },
});
