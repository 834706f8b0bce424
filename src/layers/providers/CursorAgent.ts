import { Layer } from "effect"
import { cursorDetection } from "../../domain/cursor/Cursor.ts"
import { cursorInput } from "../../domain/cursor/CursorInput.ts"
import { cursorPermissions } from "../../domain/cursor/CursorPermissions.ts"
import { cursorHooks } from "../../domain/cursor/CursorWiring.ts"
import { cursorResume } from "../../domain/cursor/CursorResume.ts"
import { cursorHistory } from "../../domain/cursor/CursorHistory.ts"
import { cursorUsage } from "../../domain/cursor/CursorUsage.ts"
import { CLIProvider, define, type ProviderRecord } from "../../services/CLIProvider.ts"
import { loadedWhenAsked } from "../../services/RelocationProtocol.ts"

/** Cursor Agent. */
export const record: ProviderRecord = define({
  id: "cursor-agent",
  displayName: "Cursor Agent",
  binary: "cursor-agent",
  installHint: "install it as https://cursor.com/docs/cli/installation says",
  detection: cursorDetection,
  input: cursorInput,
  usage: cursorUsage,
  history: cursorHistory,
  resume: cursorResume,
  relocation: loadedWhenAsked(() => import("../relocations/Cursor.ts").then(({ protocol }) => protocol)),
  launch: ({ args }) => ({ command: "cursor-agent", args, env: {} }),
  hooks: cursorHooks,
  permissions: cursorPermissions
})

/** Cursor Agent as the one provider. */
export const layer: Layer.Layer<CLIProvider> = Layer.succeed(CLIProvider, record)
