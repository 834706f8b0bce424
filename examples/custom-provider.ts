// A CLI that leap does not know, in one file: how its screen is read, and how it is typed into. Everything that is not
// given here (hooks, permissions, resuming, usage) is neutral. `custom-provider.test.ts` holds it to the promises that
// all providers keep.
import { Effect, Layer } from "effect"
import * as path from "node:path"
import { CLIProvider, type Detection, Identity, type InputProtocol, type registry, ScreenFacts, TextShape } from "leap"

const identity = Identity.identify({
  id: "parrot",
  displayName: "Parrot",
  binary: "parrot",
  installHint: "it is beside this example; put its directory on PATH"
})

/** Its box is a row that begins with `parrot>`, and is there only while nothing works. Total: any screen is read. */
const readScreen = (view: ScreenFacts.ScreenView): ScreenFacts.ScreenFacts => {
  const rows = view.lines.map((line) => line.trimEnd())
  const shown = rows.slice(0, rows.findLastIndex((row) => row !== "") + 1)
  const facts = { ...ScreenFacts.blankFacts, blank: shown.length === 0 }
  if (shown.at(-1) === "parrot: thinking") return { ...facts, working: true }
  const box = shown.findIndex((row) => row === "parrot>" || row.startsWith("parrot> "))
  if (box < 0) return facts
  const draft = [shown[box]?.slice("parrot> ".length), ...shown.slice(box + 1)].join("\n").trim()
  return { ...facts, box: { draft }, resting: true }
}

const detection: Detection.Detection = {
  readScreen,
  readHook: () => [],
  readOwnStatus: () => [],
  readTranscript: () => [],
  capabilities: { programStatus: false, ownStatus: false, turnHooks: false }
}

const input: InputProtocol.InputProtocol = {
  bracketedPaste: true,
  submit: "\r",
  interrupt: "\u001b",
  clear: "\u0015",
  quit: ["\u0004"],
  showsPasted: (draft, text) =>
    TextShape.textShape(draft) !== "" && TextShape.textShape(draft) === TextShape.textShape(text),
  answer: () => ({ _tag: "Refused", why: "Parrot asks nothing" })
}

/** The provider itself: what leap knows of Parrot. */
export const provider = CLIProvider.define(identity, {
  detection,
  input,
  launch: ({ args }) => ({ command: "parrot", args, env: {} })
})

/** One line of the list of CLIs that `layer({ clis })` takes. */
export const parrot: registry.Registration = {
  identity,
  layer: Layer.succeed(CLIProvider.CLIProvider, provider)
}

if (import.meta.main) {
  const { hostSession, layer } = await import("leap/host")
  const program = Effect.gen(function* () {
    const session = yield* hostSession({ tag: "parrot", cli: "parrot" })
    yield* session.ask("Polly wants a cracker")
    console.log((yield* session.screen).trimEnd())
  })
  const env = { ...process.env, PATH: `${import.meta.dirname}${path.delimiter}${process.env["PATH"] ?? ""}` }
  await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(layer({ clis: [parrot], env }))))
}
