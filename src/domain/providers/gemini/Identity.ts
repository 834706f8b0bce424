import { directoryBy } from "../../cli/provider/Environment.ts"
import { identify } from "../../cli/provider/Identity.ts"

export const geminiIdentity = identify({
  id: "gemini",
  displayName: "Gemini CLI",
  binary: "gemini",
  installHint: "install it with: npm install -g @google/gemini-cli",
  checkedVersion: "0.61.0",
  inside: ["GEMINI_CLI"]
})

/** Gemini CLI's directory of user settings and sessions: `.gemini` in GEMINI_CLI_HOME, else in the home directory. */
export const geminiHome = (env: Readonly<Record<string, string>>): string =>
  `${directoryBy(env, "GEMINI_CLI_HOME", env["HOME"] ?? "")}/.gemini`
