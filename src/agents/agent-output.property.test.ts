import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verdictOfExit } from "../domain/exit-verdict.ts";
import { agentOutput } from "./agent-output.ts";
import { AGENTS } from "./presets/index.ts";
import type { PresetName } from "./agent-preset.ts";

const moment = () => ({ nowMs: Date.parse("2026-11-15T12:00:00Z"), timeZone: "UTC" });

/** Objects whose fields have the names that the presets look for, and anything at all as their values. */
const NAMES =
  "type subtype message content text error result is_error usage item part session_id thread_id sessionID rate_limit_info status resetsAt data statusCode role delta stats state input changes name tool api_error_status tokens".split(
    " ",
  );
const TYPES =
  "system assistant user result rate_limit_event init api_retry message tool_use thread.started item.started item.completed turn.completed turn.failed error text step_finish agent_message command_execution file_change rejected success".split(
    " ",
  );
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...TYPES),
    fc.constantFrom(null, true, false, 0, -1, 429, 401, 1e300, "", "usage limit reached|1794754800"),
    fc.string({ maxLength: 20 }),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie("value"), { maxKeys: 6 }),
  ),
}));
const line = fc
  .tuple(fc.constantFrom(...TYPES), fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 6 }))
  .map(([type, fields]) => Buffer.from(`${JSON.stringify({ ...fields, type })}\n`));
const chunk = fc.oneof(line, fc.uint8Array({ maxLength: 300 }));

describe("any output at all", () => {
  it.each(Object.keys(AGENTS) as PresetName[])(
    "is read as %s without a throw, into events that are whole",
    (name) => {
      fc.assert(
        fc.property(fc.array(chunk, { maxLength: 12 }), fc.array(chunk, { maxLength: 3 }), (out, err) => {
          const output = agentOutput(AGENTS[name], moment, (event) => {
            if (event.kind === "text" || event.kind === "notice") expect(typeof event.text).toBe("string");
            if (event.kind === "tool") expect(typeof event.name).toBe("string");
            if (event.kind === "session") expect(event.id).not.toBe("");
            if (event.kind === "usage")
              for (const amount of Object.values(event.usage)) expect(amount).toBeGreaterThanOrEqual(0);
            if (event.kind === "trouble") expect(event.trouble.said.length).toBeLessThanOrEqual(301);
          });
          for (const each of out) output.stdout(each);
          for (const each of err) output.stderr(each);
          const { report, facts } = output.end({ exitCode: 1, signal: undefined, stopped: undefined });
          expect(verdictOfExit(facts).outcome).not.toBe("finished");
          expect(report.answer.length).toBeLessThanOrEqual(64 * 1024);
          // oxlint-disable-next-line no-control-regex -- that is what is looked for
          for (const shown of output.lines()) expect(shown).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
        }),
        { numRuns: 300 },
      );
    },
  );
});
