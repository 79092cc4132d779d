// The door of this room: other rooms import from here alone.
export type { Check } from "./doctor/check.ts";
export { type DoctorAnswer, type DoctorRequest, doctor } from "./doctor/doctor.ts";
export { diagnosis } from "./diagnosis.ts";
export { GARBAGE_KINDS, type GarbageKind } from "./gc/garbage.ts";
export type { GcAnswer } from "./gc/gc.ts";
export type { Ask, RecoverAnswer, Repaired, RepairStage } from "./recover.ts";
export { type FindingView, type Matter, mattersIn } from "./subject.ts";

// Loaded when first called: a short process pays for what it uses.
export const loadCommitAsSet = () => import("./commit-as-set.ts");
export const loadDiagnosis = () => import("./diagnosis.ts");
export const loadDoctor = () => import("./doctor/doctor.ts");
export const loadGc = () => import("./gc/gc.ts");
export const loadRecoverAll = () => import("./recover-all.ts");
export const loadRecoverBeforeRun = () => import("./recover-before-run.ts");
