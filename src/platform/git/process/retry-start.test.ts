import { expect, it } from "vitest";
import { Failure } from "../../../domain/errors.ts";
import { withRoom } from "./retry-start.ts";

const full = Object.assign(new Error("spawn git EMFILE"), { code: "EMFILE" });
const notStarted = new Failure("git/failed", "git could not be started.", {}, { cause: full });

/** Fails so often, then goes well. */
function failing(times: number, error: unknown) {
  let calls = 0;
  const start = async () => {
    calls += 1;
    if (calls <= times) throw error;
    return calls;
  };
  return start;
}

it.each([full, notStarted])("starts again what found no room: %s", async (error) => {
  expect(await withRoom(failing(2, error))).toBe(3);
});

it("passes on what failed for another reason", async () => {
  const other = new Failure("git/failed", "git add failed.", {});
  await expect(withRoom(failing(1, other))).rejects.toBe(other);
});

it("does not start anew what may have read a part of its input", async () => {
  await expect(withRoom(failing(1, notStarted), false)).rejects.toBe(notStarted);
  expect(await withRoom(failing(1, full), false)).toBe(2);
});
