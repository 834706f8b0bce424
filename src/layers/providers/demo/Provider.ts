import { demoIdentity } from "../../../domain/providers/demo/Identity.ts"
import { demoDetection } from "../../../domain/providers/demo/Detection.ts"
import { demoHistory } from "../../../domain/providers/demo/History.ts"
import { demoInput, demoCommands } from "../../../domain/providers/demo/Input.ts"
import { demoPermissions } from "../../../domain/providers/demo/Permissions.ts"
import { define, type Provider } from "../../../services/CLIProvider.ts"

/** The bundled scripted CLI: leap's own executable, hosted like any other program. */
export const provider: Provider = define(demoIdentity, {
  detection: demoDetection,
  input: demoInput,
  commands: demoCommands,
  launch: ({ args, self: [command = "leap", ...rest] }) => ({
    command,
    args: [...rest, "__demo-cli", ...args],
    env: {}
  }),
  history: demoHistory,
  permissions: demoPermissions
})
