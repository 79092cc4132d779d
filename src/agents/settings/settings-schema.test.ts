import { Ajv } from "ajv";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { settingsTemplate } from "../../platform/config/index.ts";
import { settingsSchema } from "./settings-schema.ts";

const fits = new Ajv({ strict: false }).compile(JSON.parse(settingsSchema()) as object);
const judge = (toml: string): boolean => fits(parse(toml));

/** The file that `pawl init` writes, with every example as a setting. */
const everyExample = settingsTemplate().replaceAll(/^# (?=[a-z_]+ = |\[)/gm, "");

describe("the schema of pawl.toml", () => {
  it("accepts every example of the file that pawl init writes", () => {
    expect(everyExample).toMatch(/^agent = "claude"$/m);
    expect(everyExample).toMatch(/^\[verify\]$/m);
    expect(judge(everyExample), JSON.stringify(fits.errors)).toBe(true);
  });

  it.each([
    ['agents = ["claude", "codex"]'],
    ['[agents.reviewer]\npreset = "claude"\npermissions = "edits"\nprice = { input = 1, output = 2 }'],
    [
      '[[workflows.careful.commands]]\nname = "tests"\ntype = "lint"\nargv = ["npm", "test"]\ntimeout = "1h30m"',
    ],
    ["[limits]\ncost = 20"],
    ['[landing]\nstyle = "merge"'],
  ])("accepts %s", (toml) => expect(judge(toml), JSON.stringify(fits.errors)).toBe(true));

  it.each([
    ['agnet = "claude"'],
    ["agent = 3"],
    ['publish = "fax"'],
    ['[verify]\ncommand = "npm test"'],
    ['[verify]\ntimeout = "soon"'],
    ["[limits]\ncost = 0"],
    ['[agents.claude]\npermissions = "root"'],
    ['[[workflows.careful.commands]]\nnmae = "x"'],
    ["[unknown]\na = 1"],
  ])("refuses %s", (toml) => expect(judge(toml)).toBe(false));
});
