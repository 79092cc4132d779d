import { verdictOfExit } from "../../src/domain/exit-verdict.ts";
import { toInstant } from "../../src/domain/instant.ts";
import type { Ports } from "../../src/platform/ports/ports.ts";
import type { Running } from "../../src/platform/ports/running.ts";
import type { CommandRequest, RunningCommand } from "../../src/platform/ports/supervisor.ts";

/** What a command that Pawl starts does: it may write files, and ends with a code. */
export type Act = (request: CommandRequest) => number | undefined | Promise<number | undefined>;

/**
 * The same ports, without processes: each command that would be started is called as a function, and claims are never
 * lost. `started` lists the command lines in their order.
 */
export function scriptedPorts(ports: Ports, act: Act): { ports: Ports; started: string[] } {
  const started: string[] = [];
  const start = async (request: CommandRequest): Promise<RunningCommand> => {
    started.push(request.argv.join(" "));
    const startedAt = toInstant(ports.clock.wallMs());
    const exit = { exitCode: (await act(request)) ?? 0, signal: undefined, stopped: undefined };
    const { report, facts } = request.reader.end(exit);
    const { pid, startedAt: since } = ports.processes.self();
    return {
      record: {
        pid,
        startedAt: since,
        group: pid,
        session: request.session,
        ...ports.machine,
        streams: [],
        folder: undefined,
      },
      logPath: "",
      promptPath: undefined,
      lastLines: () => [],
      progress: () => ({ bytes: 0, lastOutputAt: undefined }),
      stop: async () => undefined,
      ended: Promise.resolve({
        ...exit,
        verdict: verdictOfExit(facts),
        report,
        startedAt,
        endedAt: startedAt,
        durationMs: 1,
        lastLines: [],
        log: { path: "", bytes: 0, droppedBytes: 0, problem: undefined },
        swept: [],
        leftRunning: [],
      }),
    };
  };
  const running: Running = {
    supervisor: {
      start,
      isStillRunning: () => false,
      stopLeftOver: async () => ({ stopped: [], left: [] }),
    },
    heartbeats: {
      start: () => ({
        watch: () => true,
        unwatch: () => undefined,
        isLost: () => false,
        lost: new Promise(() => undefined),
        lastBeatAt: () => undefined,
        stop: async () => undefined,
      }),
    },
    environment: () => ({}),
    secrets: () => ({}),
    logFolder: (session) => `${ports.stateDir}/logs/${session}`,
    sleep: (ms, wake) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake.addEventListener("abort", () => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
  return { ports: { ...ports, running: async () => running }, started };
}
