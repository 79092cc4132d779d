import { agentSuite } from "../suite.ts";

agentSuite("gemini");
