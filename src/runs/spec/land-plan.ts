import { Failure } from "../../domain/index.ts";
import { SPEC_FILE } from "../../plans/formats/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { checkSpecPlan } from "./check-spec-plan.ts";

/**
 * Puts a plan that was found valid into its spec folder. Answers what there is to report about it.
 *
 * A plan that is there and can be carried out stays: another process was faster. One that cannot be is kept beside the
 * new one before that takes its place.
 */
export function landPlan(ports: Ports, key: string, bytes: Uint8Array): readonly string[] {
  const { files } = ports;
  const folder = ports.plans.find(key).path;
  if (folder === undefined)
    throw new Failure("plan/not-found", `The folder ${key} is gone.`, { plan_path: key });
  const path = `${folder}/${SPEC_FILE}`;
  const there = checkSpecPlan(files, folder);
  if (there.kind === "valid") return [`${key} has a valid plan by now, which stays`];
  if (there.kind === "missing") {
    files.create(path, bytes);
    return [`${key}/${SPEC_FILE} was written`];
  }
  const kept = keptName(ports, there.bytes);
  if (there.bytes === undefined) throw new Failure("plan/not-a-file", `${path} is in the way.`, { path });
  if (!files.exists(`${folder}/${kept}`)) files.create(`${folder}/${kept}`, there.bytes);
  if (!files.replaceIf(path, there.bytes, bytes)) return landPlan(ports, key, bytes);
  return [`${key}/${SPEC_FILE} was written; the invalid one is kept as ${kept}`];
}

/** By what it says, so that a call that is repeated keeps it once. */
const keptName = ({ sha256 }: Ports, bytes: Uint8Array | undefined): string =>
  `implementation_plan.invalid-${sha256(Buffer.from(bytes ?? []).toString("base64")).slice(0, 8)}.json`;
