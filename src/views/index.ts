// The door of this room: other rooms import from here alone.
export type { ExplainAnswer, Explanation } from "./explain.ts";
export type { HomeAnswer, PlanAtHome } from "./home.ts";
export type { PlanSummary } from "./list.ts";
export type { NotVerified } from "./not-verified.ts";
export type { PlanProgressView } from "./plan-progress.ts";
export { type DoneStep, hasNews, type PlanReport, type ReportAnswer, type ReportSums } from "./report.ts";
export { groupRuns, type RunView } from "./runs.ts";
export type { ProposedSettings } from "./proposed-settings.ts";
export type { StartingPoints } from "./starting-points.ts";
export type { StepDetail } from "./step-detail.ts";
export type { StepLineView } from "./step-lines.ts";
export type { StoppedStep } from "./stopped-steps.ts";
export { type TrainPlace, trainWords } from "./train.ts";

export type { AgentsAnswer, InstalledAgent } from "./installed-agents.ts";

// Loaded when first called: a short process pays for what it uses.
export const loadChanges = () => import("./changes.ts");
export const loadExplain = () => import("./explain.ts");
export const loadHome = () => import("./home.ts");
export const loadJournalPage = () => import("./journal-page.ts");
export const loadList = () => import("./list.ts");
export const loadNotVerified = () => import("./not-verified.ts");
export const loadOverview = () => import("./overview.ts");
export const loadPlanProgress = () => import("./plan-progress.ts");
export const loadProposedSettings = () => import("./proposed-settings.ts");
export const loadReadLog = () => import("./read-log.ts");
export const loadReport = () => import("./report.ts");
export const loadRuns = () => import("./runs.ts");
export const loadStartingPoints = () => import("./starting-points.ts");
export const loadStepDetail = () => import("./step-detail.ts");
export const loadStepHistory = () => import("./step-history.ts");
export const loadStepLines = () => import("./step-lines.ts");
export const loadInstalledAgents = () => import("./installed-agents.ts");
export const loadStoppedSteps = () => import("./stopped-steps.ts");
export const loadTimeline = () => import("./timeline.ts");
export const loadTranscript = () => import("./transcript.ts");
export const loadSearchLogs = () => import("./search-logs.ts");
export const loadTrain = () => import("./train.ts");
