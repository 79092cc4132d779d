import type { CopyAnswer, CopyRequest } from "../flow/copy-store.ts";
import type { DoctorAnswer, DoctorRequest } from "../flow/doctor.ts";
import type { PrepareAnswer } from "../flow/prepare.ts";
import type { PruneAnswer, PruneRequest } from "../flow/prune.ts";
import type { ReconcileAnswer, ReconcileRequest } from "../flow/reconcile.ts";
import type { RestoreAnswer } from "../flow/restore.ts";
import type { Ports } from "../ports/index.ts";

/** The verbs about the state as a whole: making, checking, mending, moving it. */
export interface StoreVerbs {
  prepare(): Promise<PrepareAnswer>;
  reconcile(request: ReconcileRequest): Promise<ReconcileAnswer>;
  prune(request?: PruneRequest): Promise<PruneAnswer>;
  restore(request: { readonly path: string }): Promise<RestoreAnswer>;
  doctor(request?: DoctorRequest): Promise<DoctorAnswer>;
  /** Copies all state from one store to the other, verified; the other must be empty or hold the same. */
  copyStore(request: CopyRequest): Promise<CopyAnswer>;
}

export const storeVerbs = (ports: Ports): StoreVerbs => ({
  prepare: async () => (await import("../flow/prepare.ts")).prepare(ports),
  reconcile: async (request) => (await import("../flow/reconcile.ts")).reconcile(ports, request),
  prune: async (request = {}) => (await import("../flow/prune.ts")).prune(ports, request),
  restore: async (request) => (await import("../flow/restore.ts")).restore(ports, request),
  doctor: async (request = {}) => (await import("../flow/doctor.ts")).doctor(ports, request),
  copyStore: async (request) => (await import("../flow/copy-store.ts")).copyStore(ports, request),
});
