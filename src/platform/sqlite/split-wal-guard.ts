import { Failure } from "../../domain/index.ts";
import { sleep } from "../index.ts";
import { stampsBeside, realPathOf } from "./database-files.ts";
import { type Connection, loadDriver } from "./driver.ts";
import { isBusy } from "./failures.ts";

/** Others who look, or open it, have it for themselves for a moment. */
const LOOKS = 200;
const BETWEEN_MS = 25;

/**
 * Refuses a database whose log or index was removed while another process has it open.
 *
 * That process keeps the removed files and what it wrote to them. Here they would be made anew: each would miss what the
 * other commits, both might hand out one step, and whichever closes last would fold its own log over the database and
 * remove the other's. Nothing is lost as long as no process makes new ones, because the log is folded when that process
 * ends.
 */
export async function refuseSplitWal(path: string, random: () => number): Promise<void> {
  const file = realPathOf(path);
  for (let look = 0; stampsBeside(file) === undefined; look += 1) {
    if (!isInUse(file)) return;
    if (look === LOOKS)
      throw new Failure("store/parted", `The log of ${path} was removed while a process has it open.`, {
        path,
      });
    await sleep(BETWEEN_MS * (0.5 + random()));
  }
}

/** Only a process that gets the exclusive lock knows that no other has it open. Any other fault shows on opening. */
function isInUse(path: string): boolean {
  let connection: Connection | undefined;
  try {
    connection = loadDriver().open(path, { timeout: 0 });
    connection.exec("pragma locking_mode = exclusive; select count(*) from sqlite_master");
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    connection?.close();
  }
}
