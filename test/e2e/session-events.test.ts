import { expect, it } from "vitest";
import { AGENT, runShop } from "../support/run-shop.ts";

it("sessions logs gives the events of the page, of one session or searched for in all", () => {
  const shop = runShop(
    [{ number: "1", tasks: ["dig"] }],
    `agent = "stand-in"\n[agents.stand-in]\npreset = "claude"\nprogram = [${AGENT.slice(1)
      .map((word) => JSON.stringify(word))
      .join(", ")}]\n`,
  );
  shop.script({
    speak: "claude",
    runs: [[{ say: "The spade is blunt." }, { write: "work/{step}.txt" }, { tick: "all" }]],
  });
  expect(shop.json("run", "plan.md").status).toBe("ok");
  const [session] = shop.query("select id from sessions");
  const id = String(session!["id"]);
  const { events } = shop.json("sessions", "logs", id, "--command", "1", "--events").data as {
    readonly events: readonly { readonly kind: string; readonly text?: string; readonly path?: string }[];
  };
  expect(events).toContainEqual(expect.objectContaining({ kind: "text", text: "The spade is blunt." }));
  expect(events).toContainEqual(expect.objectContaining({ kind: "call", path: "work/step-1.txt" }));
  const text = shop.pawl("sessions", "logs", id, "--command", "1", "--events").stdout;
  expect(text).toContain("The spade is blunt.\n");
  expect(text).toContain("> Write work/step-1.txt\n");
  expect(shop.pawl("sessions", "logs", id, "--command", "1", "--find", "SPADE").stdout.trim()).toBe(
    "The spade is blunt.",
  );
  expect(shop.json("sessions", "logs", id, "--command", "1", "--errors").data.events).toEqual([]);
  expect(shop.json("sessions", "logs", "--find", "spade IS").data).toMatchObject({
    is_more: false,
    matches: [{ session_id: id, plan_path: "plan.md", anchor: "step-1", command: 1, kind: "text" }],
  });
  expect(shop.pawl("sessions", "logs", "--find", "spade is").stdout).toMatch(
    /^s-\S+ --command 1 {2}step-1 {2}The spade is blunt\.\n$/,
  );
  expect(shop.pawl("sessions", "logs", "--find", "shovel").stdout).toBe('No log has "shovel" in it.\n');
  const refused = shop.json("sessions", "logs");
  expect(refused.issues[0]).toMatchObject({ message: "Name a session." });
});
