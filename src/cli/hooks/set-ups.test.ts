import fc from "fast-check";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { type ConfigText, isIn } from "./config-text.ts";
import { jsonSpans } from "./json-spans.ts";
import { SET_UPS, type SetUpFile } from "./set-ups.ts";

const FILES: readonly SetUpFile[] = Object.values(SET_UPS).flat();
const kindOf = (path: string): ConfigText => FILES.find((file) => file.path === path)!.kind;
const settings = kindOf(".claude/settings.json");
const servers = kindOf(".mcp.json");
const toml = kindOf(".codex/config.toml");
const markdown = kindOf("AGENTS.md");

/** In and out again gives the same bytes; twice in is once in. */
function roundTrip(kind: ConfigText, text: string | null): string {
  const made = kind.put(text);
  expect(made).toBeTypeOf("string");
  expect(kind.takeOut(made as string)).toBe(text);
  expect(kind.put(made as string)).toBe(made);
  expect(isIn(kind, made as string)).toBe(true);
  expect(isIn(kind, text)).toBe(false);
  return made as string;
}

const JSON_TEXTS = [
  "",
  "\n",
  "  \r\n\t",
  "{}",
  "{\n}\n",
  "{ \n}",
  "\ufeff{}",
  '{"a":1}',
  '{\n  "hooks": {}\n}\n',
  '{"hooks":{"Stop":[]}}',
  '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"make"}]}],"SessionStart":[]},"mcpServers":{}}',
  '{"mcpServers":{"other":{"command":"x"}}}',
  '// mine\n{ /* a } */ "mcpServers": { "x": {"url": "//y"}, }, // end\n}\n',
];

describe("a JSON file of another program", () => {
  it.each(JSON_TEXTS.map((text) => [JSON.stringify(text), text]))(
    "%s comes back byte for byte",
    (_name, text) => {
      for (const kind of [settings, servers]) {
        const made = roundTrip(kind, text);
        if (!/\/\/|\/\*/.test(text))
          expect(() => JSON.parse(made.replace("\ufeff", "")) as unknown).not.toThrow();
        expect(jsonSpans(made.replace("\ufeff", ""))).toBeDefined();
      }
    },
  );

  it("that is not there is made, and gone again", () => {
    for (const kind of [settings, servers]) expect(roundTrip(kind, null)).toMatch(/^\{ /);
  });

  it("holds all hooks afterwards, beside those that were there", () => {
    const made = JSON.parse(settings.put('{"hooks":{"Stop":[{"hooks":[]}]}}') as string) as {
      hooks: Record<string, unknown[]>;
    };
    expect(Object.keys(made.hooks).toSorted()).toEqual([
      "PostToolUse",
      "PreCompact",
      "SessionEnd",
      "SessionStart",
      "Stop",
    ]);
    expect(made.hooks["Stop"]).toHaveLength(2);
  });

  it.each([
    "{",
    "[]",
    "7",
    '{"hooks":[]}',
    '{"hooks":{"Stop":{}}}',
    "{'a':1}",
    '{"a":1}}',
    "x".repeat(100),
    "[".repeat(100),
  ])("%s is refused, and stays as it is", (text) => {
    expect(settings.put(text)).toBeUndefined();
    expect(settings.takeOut(text)).toBe(text);
  });

  it("keeps an entry of our name that a person made", () => {
    const own = '{"mcpServers":{"pawl":{"command":"/opt/pawl"}}}';
    expect(servers.put(own)).toBe(own);
    expect(servers.takeOut(own)).toBe(own);
  });

  it("is cleaned even after the person added keys around ours", () => {
    const made = servers.put('{"a":1}') as string;
    const before = made.replace("{", '{"b":2,');
    expect(JSON.parse(servers.takeOut(before) as string)).toEqual({ a: 1, b: 2 });
    const last = (servers.put("{}") as string).replace("{", '{"b":2,');
    expect(JSON.parse(servers.takeOut(last) as string)).toEqual({ b: 2 });
  });

  it("comes back whatever is in it", () => {
    const spaced = fc
      .tuple(fc.json(), fc.constantFrom(0, 1, 2, "\t"))
      .map(([text, indent]) => JSON.stringify(JSON.parse(text), null, indent));
    const object = fc
      .dictionary(fc.constantFrom("a", "hooks2", "b", 'q"'), fc.jsonValue())
      .map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(fc.oneof(spaced, object), (text) => {
        for (const kind of [settings, servers]) {
          const made = kind.put(text);
          if (made !== undefined) expect(kind.takeOut(made)).toBe(text);
          expect(kind.takeOut(text)).toBe(text);
        }
      }),
    );
  });

  it("is found in the same places as JSON.parse finds values", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(jsonSpans(text)).toBeDefined();
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        if (isJson) expect(jsonSpans(text)).toBeDefined();
      }),
    );
  });
});

describe("a TOML file of another program", () => {
  it.each([
    "",
    "\n",
    "a = 1",
    "a = 1\n",
    "# mine\r\nmodel = 'x'\r\n\r\n[mcp_servers.other]\r\ncommand = 'y'",
    "[a]\nb = 2 # no end",
  ])("%j comes back byte for byte", (text) => {
    expect(parse(roundTrip(toml, text))).toMatchObject({
      mcp_servers: { pawl: { command: "pawl", args: ["mcp"] } },
    });
  });

  it("that is not there is made, and gone again", () => {
    expect(roundTrip(toml, null)).toMatch(/^# pawl/);
  });

  it.each(["a =", "[mcp_servers.pawl]\ncommand = 'mine'\n", "[x\n"])("%j is refused", (text) => {
    expect(toml.put(text)).toBeUndefined();
    expect(toml.takeOut(text)).toBe(text);
  });
});

describe("a Markdown file of another program", () => {
  it("comes back whatever is in it", () => {
    for (const text of ["", "\n", "# Mine\n", "no end", "\r\n", "\ufeff# Mine\r\n", null])
      roundTrip(markdown, text);
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(markdown.takeOut(markdown.put(text) as string)).toBe(text);
      }),
    );
  });

  it("is cleaned even after a person wrote into the block", () => {
    const made = (markdown.put("# Mine\n") as string).replace("## Pawl", "## Our Pawl");
    expect(markdown.takeOut(made)).toBe("# Mine\n");
    expect(markdown.put(made)).toBe(markdown.put("# Mine\n"));
  });
});

/** The same settings as another program prints them: other blanks, another order, what it takes for granted. */
const REPRINTS: readonly (readonly [string, (value: unknown) => unknown, string | number])[] = [
  ["on one line", (value) => value, 0],
  ["indented by four", (value) => value, 4],
  ["indented by tabs", (value) => value, "\t"],
  ["with its keys in another order", backwards, 2],
];

function backwards(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(backwards);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, backwards(inner)]),
  );
}

describe("settings that another program printed anew", () => {
  const theirs = {
    theme: "dark",
    hooks: { Stop: [{ hooks: [{ type: "command", command: "make" }] }], Notification: [] },
    mcpServers: { other: { command: "x" } },
  };
  it.each(REPRINTS)("%s: ours is known, not doubled, and comes out", (_name, order, indent) => {
    for (const kind of [settings, servers]) {
      const made = kind.put(JSON.stringify(theirs)) as string;
      const printed = JSON.stringify(order(JSON.parse(made)), null, indent);
      expect(isIn(kind, printed)).toBe(true);
      expect(kind.put(printed)).toBe(printed);
      expect(JSON.parse(kind.takeOut(printed) as string)).toEqual(theirs);
      const alone = JSON.stringify(order(JSON.parse(kind.put(null) as string)), null, indent);
      expect(kind.put(alone)).toBe(alone);
      expect(JSON.parse(kind.takeOut(alone) as string)).toEqual({});
    }
  });

  it("comes out of whatever it was printed into", () => {
    const named = fc.dictionary(fc.constantFrom("a", "hooks2", "Stop", 'q"'), fc.jsonValue());
    fc.assert(
      fc.property(named, fc.constantFrom(0, 1, 2, "\t"), fc.boolean(), (value, indent, isBackwards) => {
        const given = JSON.parse(JSON.stringify(value)) as unknown;
        for (const kind of [settings, servers]) {
          const made = JSON.parse(kind.put(JSON.stringify(given)) as string) as unknown;
          const printed = JSON.stringify(isBackwards ? backwards(made) : made, null, indent);
          expect(kind.put(printed)).toBe(printed);
          expect(JSON.parse(kind.takeOut(printed) as string)).toEqual(isBackwards ? backwards(given) : given);
        }
      }),
    );
  });

  it("keeps comments and neighbours around what comes out", () => {
    const text = `{
  "hooks": {
    "Stop": [
      { "matcher": "", "hooks": [ { "command": "pawl hook stop || true", "type": "command" } ] } /* last */, // one
      { "hooks": [ { "command": "make" }, /* two */ { "type": "command", "timeout": 5, "command": "pawl hook stop || true" } ] },
    ], // three
  },
}
`;
    expect(settings.takeOut(text)).toBe(`{
  "hooks": {
    "Stop": [ /* last */ // one
      { "hooks": [ { "command": "make" } /* two */ ] },
    ], // three
  },
}
`);
  });

  it("adds only the hooks that are missing", () => {
    const made = JSON.parse(settings.put(null) as string) as { hooks: Record<string, unknown[]> };
    delete made.hooks["Stop"];
    const again = JSON.parse(settings.put(JSON.stringify(made, null, 2)) as string) as typeof made;
    expect(Object.values(again.hooks).map((groups) => groups.length)).toEqual([1, 1, 1, 1, 1]);
  });

  it("knows a server with what a program takes for granted, and keeps one with a person's additions", () => {
    const plain = '{"mcpServers":{"pawl":{"args":["mcp"],"command":"pawl","env":{},"disabled":false}}}';
    expect(servers.put(plain)).toBe(plain);
    expect(servers.takeOut(plain)).toBe("{}");
    const own = '{"mcpServers":{"pawl":{"args":["mcp"],"command":"pawl","env":{"PAWL_DEBUG":"1"}}}}';
    expect(servers.put(own)).toBe(own);
    expect(servers.takeOut(own)).toBe(own);
  });

  it.each([
    [
      "without comments",
      '[mcp_servers.pawl]\ncommand = "pawl"\nargs = ["mcp"]\n\n# mine\n[tui]\nx = 1\n',
      "\n# mine\n[tui]\nx = 1\n",
    ],
    [
      "in another order",
      "[mcp_servers.other]\ncommand = 'x'\n\n[mcp_servers.pawl]\nargs = [\n  'mcp',\n]\ncommand = 'pawl'\n[mcp_servers.pawl.env]\n",
      "[mcp_servers.other]\ncommand = 'x'\n\n",
    ],
    [
      "as a line in the table of servers",
      "[mcp_servers]\nother = { command = 'x' }\npawl = { command = 'pawl', args = ['mcp'] }\n",
      "[mcp_servers]\nother = { command = 'x' }\n",
    ],
    [
      "as keys with dots",
      "a = 1\nmcp_servers.pawl.command = 'pawl'\nmcp_servers.pawl.args = ['mcp']\n",
      "a = 1\n",
    ],
    ["as one line", "a = 1\nmcp_servers = { pawl = { command = 'pawl', args = ['mcp'] } }\n", "a = 1\n"],
    [
      "with the marks around a person's table",
      "# pawl: begin\n[mcp_servers.pawl]\ncommand = 'pawl'\nargs = ['mcp']\n[tui]\nx = 1\n# pawl: end\n",
      "[tui]\nx = 1\n",
    ],
    [
      "with other ends of lines",
      "a = 1\r\n# pawl: begin\r\n[mcp_servers.pawl]\r\ncommand = 'pawl'\r\nargs = ['mcp']\r\n# pawl: end\r\n",
      "a = 1\r\n",
    ],
    [
      "with a mark gone",
      "a = 1\n# pawl: begin\n[mcp_servers.pawl]\ncommand = 'pawl'\nargs = ['mcp']\n",
      "a = 1\n",
    ],
  ])("TOML %s: ours is known, not doubled, and comes out", (_name, text, rest) => {
    expect(isIn(toml, text)).toBe(true);
    expect(toml.put(text)).toBe(text);
    expect(toml.takeOut(text)).toBe(rest);
  });

  it("refuses to cut TOML that it does not understand, rather than cut too much", () => {
    const text = "mcp_servers = { other = { command = 'x' }, pawl = { command = 'pawl', args = ['mcp'] } }\n";
    expect(toml.put(text)).toBe(text);
    expect(toml.takeOut(text)).toBeUndefined();
    expect(isIn(toml, text)).toBe(true);
  });

  it("finds a marked block with other ends of lines, twice, or with half of its marks gone", () => {
    const made = markdown.put("# Mine\n") as string;
    expect(markdown.takeOut(made.replaceAll("\n", "\r\n"))).toBe("# Mine\r\n");
    expect(markdown.takeOut(made + made)).toBe("# Mine\n# Mine\n");
    const half = `<!-- pawl: begin -->\nmy text\n${made}`;
    expect(markdown.takeOut(half)).toBe("<!-- pawl: begin -->\nmy text\n# Mine\n");
  });
});
