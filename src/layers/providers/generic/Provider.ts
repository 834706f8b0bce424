import { genericDetection } from "../../../domain/providers/generic/Detection.ts"
import { genericIdentity } from "../../../domain/providers/generic/Identity.ts"
import { genericInput } from "../../../domain/providers/generic/Input.ts"
import { knownProgram, knownPrograms } from "../../../domain/providers/generic/ScreenPrograms.ts"
import { define, type Provider } from "../../../services/CLIProvider.ts"

/** Any program, read by screen patterns: the user's, else those that leap ships for it, else by the common reader. */
export const provider: Provider = define(genericIdentity, {
  detection: genericDetection({}),
  input: genericInput({}),
  reading: { by: "common", checkedVersion: null },
  shipped: knownPrograms,
  launch: ({ args: [command = genericIdentity.binary, ...args] }) => ({ command, args, env: {} }),
  forProgram: (command, own) => {
    const known = knownProgram(command)
    const screen = own.screen ?? known?.screen ?? {}
    return {
      displayName: known?.displayName ?? (command.slice(command.lastIndexOf("/") + 1) || genericIdentity.displayName),
      detection: genericDetection(screen),
      input: genericInput({ ...known?.keys, ...own.keys }),
      reading: {
        by: own.screen !== undefined ? "settings" : known !== null ? "shipped" : "common",
        checkedVersion: own.screen === undefined ? (known?.checkedVersion ?? null) : null
      }
    }
  }
})
