import { Layer } from "effect"
import { CLIProvider, define } from "../../../../src/services/CLIProvider.ts"
import { toyDetection } from "../domain/Detection.ts"
import { toyHistory } from "../domain/History.ts"
import { toyIdentity } from "../domain/Identity.ts"
import { toyInput } from "../domain/Input.ts"
import { toyPermissions } from "../domain/Permissions.ts"
import { toyResume } from "../domain/Resume.ts"
import { toyHooks } from "../domain/Wiring.ts"

/** Toy as the one provider. */
export const layer: Layer.Layer<CLIProvider> = Layer.succeed(
  CLIProvider,
  define(toyIdentity, {
    detection: toyDetection,
    input: toyInput,
    history: toyHistory,
    resume: toyResume,
    launch: ({ args }) => ({ command: "toy", args, env: {} }),
    hooks: toyHooks,
    permissions: toyPermissions
  })
)
