import { cursorAgentIdentity } from "../../../domain/providers/cursor-agent/Identity.ts"
import { cursorAgentDetection } from "../../../domain/providers/cursor-agent/Detection.ts"
import { cursorAgentInput, cursorAgentCommands } from "../../../domain/providers/cursor-agent/Input.ts"
import { cursorAgentPermissions } from "../../../domain/providers/cursor-agent/Permissions.ts"
import { cursorAgentResume } from "../../../domain/providers/cursor-agent/Resume.ts"
import { cursorAgentHistory } from "../../../domain/providers/cursor-agent/History.ts"
import { cursorAgentUsage } from "../../../domain/providers/cursor-agent/Usage.ts"
import { cursorAgentSyntax } from "../../../domain/providers/cursor-agent/Arguments.ts"
import { define, type Provider } from "../../../services/CLIProvider.ts"
import { lazyRelocation } from "../../../services/RelocationProtocol.ts"

export const provider: Provider = define(cursorAgentIdentity, {
  detection: cursorAgentDetection,
  input: cursorAgentInput,
  commands: cursorAgentCommands,
  usage: cursorAgentUsage,
  history: cursorAgentHistory,
  resume: cursorAgentResume,
  relocation: lazyRelocation(() => import("./Relocation.ts").then(({ protocol }) => protocol)),
  syntax: cursorAgentSyntax,
  launch: ({ args }) => ({ command: "cursor-agent", args, env: {} }),
  permissions: cursorAgentPermissions
})
