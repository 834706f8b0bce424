import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Providers } from "../../src/services/Providers.ts"
import { footageOf, type Shows, type Still } from "../support/recordings/footage.ts"
import { eventsOf, Life, live, Mode, modesOf, tellsOf } from "../support/session/lives.ts"
import { handmade } from "../support/recordings/handmadeFootage.ts"
import { isRecorded, type RecordedCli, setsOf } from "../support/recordings/recordings.ts"
import { chosenRecordings, playScene, runsOf, Scene, type Stage, tell } from "../support/recordings/scenes.ts"
import { makeWhole } from "../support/WholeSession.ts"
import { notReadyOver } from "../support/session/SessionLaws.ts"
import { fact, law, type Law, lawOfAll, lawOfSessions } from "./registry.ts"

/*
 * Dialog safety (V32). What is on the user's screen is known here because the test put it there: frames of real
 * sessions, drawn whole, cut or within synchronized updates, and the CLI's own repaints between them; that they show a
 * dialog, a picker or unsent text is the word of the recording's label and of the keys that were pressed, never of the
 * reader under test.
 */

const overlays: ReadonlySet<Shows> = new Set(["dialog", "picker"])
const forbidden: ReadonlySet<Shows> = new Set(["dialog", "picker", "draft"])
const overlaid = (still: Still | null) => still !== null && overlays.has(still.shows)
/** A search in what was sent before, in a row under the box: its arrows are the box's own. */
const arrowsInBox = (still: Still | null) => still?.name.startsWith("codex-more/x-rename-shortcuts@") === true

export const byFacts: ReadonlyArray<Law> = [
  lawOfAll(["V32"], notReadyOver, runsOf(600)),
  law(
    ["V32"],
    "nothing is ready over text on its way, whatever came before",
    { life: Life, mode: Mode },
    ({ life, mode }) => {
      for (const {
        facts: { at, submitted, typedAt },
        view
      } of live(eventsOf(life), modesOf(mode), tellsOf(mode)).seen) {
        if (!view.ready) continue
        if (typedAt !== null && (submitted === null || submitted.at < typedAt))
          assert.isAtLeast(at - typedAt, 1_500, view.reason._tag)
      }
    },
    runsOf(600)
  )
]

/** CLIs whose frames are known: recorded ones, and those drawn by hand. */
export const clisOnScreen = [...(Object.keys(setsOf) as ReadonlyArray<RecordedCli>), ...Object.keys(handmade)]

export const onScreen = (cli: string): ReadonlyArray<Law> => {
  /** Cut once for all tests of a CLI. */
  const cutting = Effect.runSync(
    Effect.cached(
      Effect.suspend(() => {
        if (isRecorded(cli)) return footageOf(cli, chosenRecordings(cli))
        const drawn = handmade[cli]
        return drawn === undefined ? Effect.die(new Error(`no frame shows ${cli}`)) : Effect.succeed(drawn())
      })
    )
  )

  return [
    lawOfSessions(
      ["V32", "V31", "V38", "V20"],
      "nothing is ready or typed while a dialog, a picker or unsent text is on the user's screen",
      [Scene],
      ([scene]) =>
        Effect.gen(function* () {
          const footage = yield* cutting
          const stage: Stage = { still: null, touched: false }
          const where = () => `${stage.still?.name} shows a ${stage.still?.shows}; in: ${tell(footage, scene)}`
          const session = yield* makeWhole({
            provider: yield* (yield* Providers).get(cli),
            size: { cols: 120, rows: 40 },
            heard: ({ tracker: { facts, view } }) => {
              const { still } = stage
              if (still === null) return
              if (forbidden.has(still.shows))
                assert.isFalse(view.ready, `V32 ready (${view.state}, ${view.reason._tag}) while ${where()}`)
              // Before its first box a CLI draws other things that are no pickers; a view that cannot be read counts
              // when it stands for a moment.
              const known =
                still.shows === "dialog" ||
                (still.shows === "picker" && facts.firstBoxAt !== null && facts.torn === null && !arrowsInBox(still))
              if (known && !stage.touched)
                assert.isTrue(view.dialog, `V38 arrows are not the CLI's (${view.state}) while ${where()}`)
            },
            wrote: ({ at, purpose }, { tracker: { facts, view } }) => {
              assert.isFalse(overlaid(stage.still), `V32 leap wrote ${purpose} while ${where()}`)
              if (stage.still?.shows === "draft")
                assert.notStrictEqual(purpose, "submit", `V32 leap pressed Enter while ${where()}`)
              if (purpose !== "text") return
              assert.strictEqual(facts.sendAt, at, "V33 the machine did not hear of a message before its first byte")
              assert.strictEqual(view.state, "running", `V31 V33 typed in ${view.state}; in: ${tell(footage, scene)}`)
            }
          })
          playScene(session, footage, stage, scene)
        }).pipe(Effect.scoped),
      runsOf(50)
    ),

    fact(
      ["V32"],
      "a frame with a dialog, a picker or unsent text is never ready, for any silence; one at rest is, and each kind was there",
      () =>
        Effect.gen(function* () {
          const { stills } = yield* cutting
          const provider = yield* (yield* Providers).get(cli)
          const seen: Record<string, number> = {}
          let readies = 0
          for (const still of stills) {
            if (!forbidden.has(still.shows) && still.shows !== "rest") continue
            seen[still.shows] = (seen[still.shows] ?? 0) + 1
            let ready = false
            yield* Effect.scoped(
              Effect.gen(function* () {
                const session = yield* makeWhole({
                  provider,
                  size: still,
                  heard: ({ tracker: { view } }) => void (ready ||= view.ready)
                })
                session.output(still.paint)
                session.wait(3_600_000)
                if (forbidden.has(still.shows))
                  assert.isFalse(
                    ready,
                    `${still.name} shows a ${still.shows}: ${session.view().reason._tag}\n${session.text()}`
                  )
                if (still.shows === "dialog")
                  assert.include(["needs_permission", "needs_input"], session.view().state, still.name)
              })
            )
            if (still.shows === "rest" && ready) readies++
          }
          for (const kind of ["dialog", "picker", "draft", "rest"])
            assert.isAbove(seen[kind] ?? 0, 0, `no frame shows a ${kind}`)
          // A wall of distrust would be safe as well.
          assert.isAtLeast(readies / (seen["rest"] ?? 0), 0.8, `${readies} of ${seen["rest"]} frames at rest are ready`)
        })
    )
  ]
}
