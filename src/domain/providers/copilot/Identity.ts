import { identify } from "../../cli/provider/Identity.ts"
import { directoryBy, inHome } from "../../cli/provider/Environment.ts"

export const copilotIdentity = identify({
  id: "copilot",
  displayName: "GitHub Copilot",
  binary: "copilot",
  installHint: "install it with: npm install -g @github/copilot",
  checkedVersion: "1.0.102"
})

/** Copilot's directory of user settings and sessions: COPILOT_HOME, else `.copilot` in the home directory. */
export const copilotHome = (env: Readonly<Record<string, string>>): string =>
  directoryBy(env, "COPILOT_HOME", inHome(env, ".copilot"))
