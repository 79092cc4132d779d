import { Choices } from "../parts/act.tsx";
import { inline } from "../parts/prose.tsx";
import { Badge, Heading, Loading, Trouble } from "../parts/small.tsx";
import type { Check } from "../types.ts";
import { useData } from "../use-data.ts";
import { plural, spaced } from "../words.ts";

interface Examined {
  readonly checks: readonly Check[];
  readonly summary: { readonly passed: number; readonly warnings: number; readonly failures: number };
}

const LANES = { pass: "done", warn: "working", fail: "stopped" } as const;
const WORDS = { pass: "passed", warn: "warning", fail: "failed" } as const;

/** Whether everything Pawl needs is sound. */
export function Doctor() {
  const { data, error, reload } = useData<Examined>(
    "/api/doctor",
    {},
    (news) => news.kind === "job" && news.job.action === "fix",
  );
  if (error && !data) return <Trouble error={error} />;
  if (!data?.checks) return <Loading lines={8} />;
  const { passed, warnings, failures } = data.summary;
  const order = ["fail", "warn", "pass"];
  const checks = data.checks.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
  return (
    <div class="view doctor">
      <Heading title="Doctor" about={`${passed} passed, ${plural(warnings, "warning")}, ${failures} failed`}>
        <button type="button" onClick={reload}>
          Check again
        </button>
        {warnings + failures > 0 && <Choices choices={["fix"]} subject={{}} about="doctor" />}
      </Heading>
      <ul class="table checks">
        {checks.map((check) => (
          <li key={check.name}>
            <Badge lane={LANES[check.status]}>{WORDS[check.status]}</Badge>
            <strong>{spaced(check.name)}</strong>
            <div>
              <p>{inline(check.message)}</p>
              {check.details.problems?.map((problem) => (
                <p key={problem} class="muted">
                  {problem}
                </p>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
