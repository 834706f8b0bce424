import { identify } from "../../cli/provider/Identity.ts"

/** Gemini CLI. */
export const geminiIdentity = identify({
  id: "gemini",
  displayName: "Gemini CLI",
  binary: "gemini",
  installHint: "install it with: npm install -g @google/gemini-cli",
  checkedVersion: "0.61.0",
  inside: ["GEMINI_CLI"]
})
