import { compose } from "../../../src/compose.ts";
import type { CopyStoreRequest } from "../../../src/store/copy-store.ts";
import { pawlOn } from "../../../src/api.ts";
import type { Database, Sql } from "../../../src/platform/ports/database.ts";
import { programInput } from "../../support/program-input.ts";

/** Copies a store in a process that kills itself after it has written so many rows. */

export interface CopyInput extends CopyStoreRequest {
  readonly cwd: string;
  readonly rows: number;
}

const { cwd, rows, ...request } = programInput() as CopyInput;
const ports = await compose({ cwd, env: process.env });
let written = 0;

const mortal = (database: Database): Database => ({
  ...database,
  write: (work) =>
    database.write((sql) => {
      const run: Sql["run"] = async (statement, params) => {
        const changed = await sql.run(statement, params);
        if ((written += 1) === rows) process.kill(process.pid, "SIGKILL");
        return changed;
      };
      return work({ ...sql, run });
    }),
});

const openStore: typeof ports.openStore = async (kind, options) =>
  mortal(await ports.openStore(kind, options));
await pawlOn({ ...ports, openStore }).copyStore(request);
