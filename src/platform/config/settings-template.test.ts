import { describe, expect, it } from "vitest";
import { parse } from "smol-toml";
import { VERIFY_FIELDS } from "./fields.ts";
import { SETTINGS } from "../../domain/settings.ts";
import { settingsTemplate } from "./settings-template.ts";

describe("the settings that init leaves", () => {
  it("set nothing", () => expect(parse(settingsTemplate())).toEqual({}));

  it("are settings once their comments are taken away, the check of a step among them", () => {
    const uncommented = settingsTemplate()
      .split("\n")
      .filter((line) => /^# (?:\[|[a-z_]+ = )/.test(line))
      .map((line) => line.slice(2))
      .join("\n");
    const { verify, ...settings } = parse(uncommented);
    expect(Object.keys(settings)).toEqual(Object.keys(SETTINGS));
    expect(Object.keys(verify as object)).toEqual(Object.keys(VERIFY_FIELDS));
    expect(verify).toMatchObject({ command: ["npm", "test"] });
  });

  it("set what was chosen and nothing else, in any words", () => {
    const check = ["sh", "-c", 'echo "a\\b\u007f" && make check'];
    const chosen = { agent: "claude", check, worktreeSetup: ["npm", "ci"] };
    expect(parse(settingsTemplate(chosen))).toEqual({
      agent: "claude",
      worktree_setup: ["npm", "ci"],
      verify: { command: check },
    });
    expect(parse(settingsTemplate({ agent: "codex" }))).toEqual({ agent: "codex" });
  });
});
