import { describe, expect, it } from "vitest";
import { SITUATIONS } from "../support/broken-situations.ts";
import { mcpClient } from "../support/mcp-client.ts";
import { obey } from "../support/obedient-agent.ts";
import { obeyAtTheShell } from "../support/obedient-cli-agent.ts";
import { expectNothingLost, findIn, FORBIDDEN } from "../support/obeyed-world.ts";

const MOST_CALLS = 40;

describe("an agent that obeys every text", () => {
  /** Everything that each received, without what differs from run to run. */
  const heardIn = new Map<string, string>();

  it.each(Object.entries(SITUATIONS))(
    "%s: ends done or with a person asked, and loses nothing",
    async (name, situation) => {
      const found = await findIn(situation);
      const { shop, folder, plan } = found;
      const client = await mcpClient({ cwd: folder });
      const end = await obey(client, folder, plan);
      await client.client.close();
      const heard = end.heard.join("\n");
      heardIn.set(name, heard.replaceAll(shop.home, "HOME"));
      expect(end.end, heard).toBe(situation.end);
      expect(end.calls).toBeLessThan(MOST_CALLS);
      expect(heard, end.told).not.toMatch(FORBIDDEN);
      expectNothingLost(found, end);
    },
  );

  it("was tried in 50 situations and more, and they were not all the same to it", () => {
    expect(heardIn.size).toBeGreaterThanOrEqual(50);
    expect(new Set(heardIn.values()).size).toBeGreaterThanOrEqual(45);
  });
});

describe("an agent that types every command it receives", () => {
  const heardIn = new Map<string, string>();

  it.each(Object.entries(SITUATIONS))(
    "%s: ends done or with a person asked, and loses nothing",
    async (name, situation) => {
      const found = await findIn(situation);
      const { shop, folder, plan } = found;
      const end = obeyAtTheShell(folder, plan);
      const heard = end.heard.join("\n");
      heardIn.set(name, heard.replaceAll(shop.home, "HOME"));
      expect(end.end, heard).toBe(situation.end);
      expect(end.calls).toBeLessThan(MOST_CALLS);
      // People read these texts, too: what counts is what it was led to do.
      const typed = end.heard.map((said) => said.split("\n", 1)[0]);
      expect(typed.join("\n"), heard).not.toMatch(FORBIDDEN);
      expectNothingLost(found, end);
    },
  );

  it("was tried in as many, and received as many texts", () => {
    expect(heardIn.size).toBeGreaterThanOrEqual(50);
    expect(new Set(heardIn.values()).size).toBeGreaterThanOrEqual(45);
  });
});
