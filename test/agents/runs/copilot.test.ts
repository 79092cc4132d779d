import { agentSuite } from "../suite.ts";

agentSuite("copilot");
