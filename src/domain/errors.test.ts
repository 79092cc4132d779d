import { expect, it } from "vitest";
import { Failure, orNothing } from "./errors.ts";

it("takes what was foreseen for nothing, and lets a bug through", async () => {
  await expect(Promise.reject(new Failure("store/busy", "x", {})).catch(orNothing)).resolves.toBeUndefined();
  await expect(Promise.reject(new TypeError("bug")).catch(orNothing)).rejects.toThrow("bug");
});
