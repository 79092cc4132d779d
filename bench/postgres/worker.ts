import { once } from "node:events";
import { CONTENDERS, type Job, type Outcome } from "./contenders.ts";

/** One worker process: gets its job, gets ready, waits for the start, works until nothing is left, reports how much. */
const [job] = (await once(process, "message")) as [Job];
const contender = await CONTENDERS[job.contender](job);
process.send?.("ready");
await once(process, "message");
const before = process.cpuUsage();
const times = await contender.work();
const { user, system } = process.cpuUsage(before);
process.send?.({ times, cpuMs: (user + system) / 1000 } satisfies Outcome, () => process.exit(0));
