import { agentSuite } from "../suite.ts";

agentSuite("qwen");
