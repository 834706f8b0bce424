import { Layer } from "effect"
import { demoDetection, demoInput } from "../../domain/demo/Demo.ts"
import { demoHookWiring } from "../../domain/demo/DemoHooks.ts"
import { demoPermissions } from "../../domain/demo/DemoPermissions.ts"
import { CLIProvider, define, type ProviderRecord } from "../../services/CLIProvider.ts"

/** The bundled scripted CLI: leap's own executable, hosted like any other program. */
export const record: ProviderRecord = define({
  id: "demo",
  displayName: "leap demo",
  binary: "leap",
  installHint: "it is part of leap",
  detection: demoDetection,
  input: demoInput,
  launch: ({ args, self: [command = "leap", ...rest] }) => ({ command, args: [...rest, "__demo-cli", ...args], env: {} }),
  hooks: demoHookWiring,
  permissions: demoPermissions,
  bundled: true
})

/** The demo CLI as the one provider. */
export const layer: Layer.Layer<CLIProvider> = Layer.succeed(CLIProvider, record)
