import { Failure } from "../domain/index.ts";
import type { Database, Ports } from "../platform/ports/index.ts";

/** Undefined where no plan ever had state; a database that was lost or is damaged is a failure. */
export async function openIfThere(ports: Ports): Promise<Database | undefined> {
  try {
    return await ports.database();
  } catch (error) {
    if (error instanceof Failure && error.problem === "plan/not-initialised") return undefined;
    throw error;
  }
}
