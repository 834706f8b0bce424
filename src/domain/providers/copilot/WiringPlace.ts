import { directoryBy, inHome } from "../../cli/provider/Environment.ts"

/** Copilot's directory of user settings and sessions: COPILOT_HOME, else `.copilot` in the home directory. */
export const copilotHome = (env: Readonly<Record<string, string>>): string =>
  directoryBy(env, "COPILOT_HOME", inHome(env, ".copilot"))
