import { once } from "node:events";
import { CONTENDERS, type Job } from "./contenders.ts";

/** One worker process: is told its job, gets ready, waits for the word, works until nothing is left, tells how much. */
const [job] = (await once(process, "message")) as [Job];
const contender = await CONTENDERS[job.contender](job);
process.send?.("ready");
await once(process, "message");
const times = await contender.work();
process.send?.(times, () => process.exit(0));
