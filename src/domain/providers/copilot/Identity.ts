import { identify } from "../../cli/provider/Identity.ts"

/** GitHub Copilot CLI. */
export const copilotIdentity = identify({
  id: "copilot",
  displayName: "GitHub Copilot",
  binary: "copilot",
  installHint: "install it with: npm install -g @github/copilot",
  checkedVersion: "1.0.102"
})
