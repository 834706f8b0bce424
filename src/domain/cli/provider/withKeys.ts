import { Result } from "effect"
import { keysNamed } from "../../store/settings/screenPatterns.ts"
import type { KeySettings } from "../../store/settings/Settings.ts"
import type { InputProtocol } from "./InputProtocol.ts"

const named = (names: string | undefined, otherwise: ReadonlyArray<string>): ReadonlyArray<string> =>
  names === undefined ? otherwise : Result.getOrElse(keysNamed(names), () => otherwise)

/** How leap types into a CLI, by the keys that the user's settings name for it. */
export const withKeys = (
  input: InputProtocol,
  { clear, interrupt, paste, quit, submit }: KeySettings
): InputProtocol => ({
  ...input,
  submit: named(submit, [input.submit]).join(""),
  interrupt: named(interrupt, [input.interrupt]).join(""),
  clear: named(clear, [input.clear]).join(""),
  quit: named(quit, input.quit),
  bracketedPaste: paste ?? input.bracketedPaste
})
