import { identify } from "../../cli/provider/Identity.ts"

export const cursorAgentIdentity = identify({
  id: "cursor-agent",
  displayName: "Cursor Agent",
  binary: "cursor-agent",
  installHint: "install it as https://cursor.com/docs/cli/installation says",
  inside: ["CURSOR_AGENT"]
})
