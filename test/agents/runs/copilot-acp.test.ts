import { agentSuite } from "../suite.ts";

agentSuite("copilot", { isAcp: true });
