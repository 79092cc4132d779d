import type { CopyAnswer, CopyRequest } from "../store/copy-store.ts";
import type { DoctorAnswer, DoctorRequest } from "../recovery/doctor/doctor.ts";
import type { PrepareAnswer } from "../store/prepare.ts";
import type { PruneAnswer, PruneRequest } from "../plans/prune.ts";
import type { ReconcileAnswer, ReconcileRequest } from "../commits/reconcile/reconcile.ts";
import type { RestoreAnswer } from "../plans/restore.ts";
import type { Ports } from "../platform/ports/index.ts";

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
  prepare: async () => (await import("../store/prepare.ts")).prepare(ports),
  reconcile: async (request) => (await import("../commits/reconcile/reconcile.ts")).reconcile(ports, request),
  prune: async (request = {}) => (await import("../plans/prune.ts")).prune(ports, request),
  restore: async (request) => (await import("../plans/restore.ts")).restore(ports, request),
  doctor: async (request = {}) => (await import("../recovery/doctor/doctor.ts")).doctor(ports, request),
  copyStore: async (request) => (await import("../store/copy-store.ts")).copyStore(ports, request),
});
