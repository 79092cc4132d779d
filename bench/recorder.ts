import type { Params } from "../src/platform/ports/database.ts";
import { type Connection, loadDriver } from "../src/platform/sqlite/driver.ts";

/** One call of the driver: a text run as it is, or a prepared statement with its parameters. */
export type Call =
  | { readonly how: "exec"; readonly sql: string }
  | { readonly how: "all"; readonly sql: string; readonly params: Params; readonly rows: number }
  | { readonly how: "run"; readonly sql: string; readonly params: Params; readonly changes: number };

type Open = ReturnType<typeof loadDriver>["open"];
export type Wrap = (open: Open) => Open;

/** Puts something between Pawl and every connection it opens while `work` runs. */
export async function withDriver<T>(wrap: Wrap, work: () => Promise<T>): Promise<T> {
  const driver = loadDriver() as { open: Open };
  const { open } = driver;
  driver.open = wrap(open);
  try {
    return await work();
  } finally {
    driver.open = open;
  }
}

/** Collects the connections, so that a benchmark can change their settings behind Pawl's back. */
export const keeping =
  (opened: Connection[]): Wrap =>
  (open) =>
  (path, options) => {
    const connection = open(path, options);
    opened.push(connection);
    return connection;
  };

/** A connection that writes down what is asked of it, in order. */
export function recording(connection: Connection, calls: Call[]): Connection {
  const recorded = {
    exec(sql: string) {
      calls.push({ how: "exec", sql });
      connection.exec(sql);
    },
    prepare(sql: string) {
      const statement = connection.prepare(sql);
      return {
        get: (params: Params = {}) => statement.get(params),
        all(params: Params = {}) {
          const rows = statement.all(params);
          calls.push({ how: "all", sql, params, rows: rows.length });
          return rows;
        },
        run(params: Params = {}) {
          const result = statement.run(params);
          calls.push({ how: "run", sql, params, changes: Number(result.changes) });
          return result;
        },
      };
    },
    close: () => connection.close(),
    location: () => connection.location(),
    get isTransaction() {
      return connection.isTransaction;
    },
  };
  return recorded as unknown as Connection;
}
