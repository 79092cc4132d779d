import { expect, it } from "vitest";
import { openEach } from "./open-each.ts";

const letters = ["a", "b", "c"];

it("opens all, in their order", async () => {
  const opened = await openEach(
    3,
    async (index) => letters[index],
    async () => expect.unreachable(),
  );
  expect(opened).toEqual(letters);
});

it("takes back all that were opened, past one that cannot be, and tells what stopped it", async () => {
  const back: string[] = [];
  const opening = openEach(
    3,
    async (index) => {
      if (index === 2) throw new Error("no room for c");
      return letters[index];
    },
    async (one, index) => {
      back.push(`${index} ${one}`);
      if (one === "a") throw new Error("a stays");
    },
  );
  await expect(opening).rejects.toThrow("no room for c");
  expect(back).toEqual(["0 a", "1 b"]);
});
