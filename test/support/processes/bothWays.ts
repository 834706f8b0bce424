import { assert } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { childProgram } from "../children/childProgram.ts"
import { isThorough } from "../run/thorough.ts"
import { type Ran, type Room, runToEnd } from "./Room.ts"

/** The exit code of the quick way where it leaves a command to the whole program. */
export const left = 99

/** Runs one of the two ways: `quickChild` or `wholeChild`. */
export const ran = (room: Room, program: string, args: ReadonlyArray<string>): Effect.Effect<Ran> =>
  runToEnd([process.execPath, childProgram(program), ...args], { env: room.env, cwd: room.dir })

/** How long the quick way waits for a host's first word, which a machine under load may not hear by then. */
const patience = Duration.seconds(1)

/** The quick way, once more where it gave up a host that was only slow. */
const ranQuickly = (room: Room, args: ReadonlyArray<string>, tries = 5): Effect.Effect<Ran> =>
  Effect.flatMap(Effect.timed(ran(room, "quickChild", args)), ([took, quick]) =>
    quick.code === left && tries > 1 && Duration.isGreaterThan(took, patience)
      ? ranQuickly(room, args, tries - 1)
      : Effect.succeed(quick)
  )

/** Ids are new for each message, and a moment that a command reckons from now is each time another. */
const withoutNew = (line: string, text: string) => {
  const named = text.replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, "ID")
  return /^(?:mute|report)/.test(line) ? named.replace(/T\d\d:\d\d:\d\d\.\d{3}Z/g, "TIME") : named
}

/**
 * Both ways print the same, and the quick one does it itself. The ordinary test command takes each third line, and those
 * that change something.
 */
export const same = Effect.fnUntraced(function* (room: Room, lines: ReadonlyArray<string>) {
  for (const [n, line] of lines.entries()) {
    if (!isThorough && n % 3 > 0 && !/^(?:send|mode w -)/.test(line)) continue
    const args = line.split(" ")
    const [quick, whole] = yield* Effect.all([ranQuickly(room, args), ran(room, "wholeChild", args)], {
      concurrency: line.startsWith("send") ? 1 : 2
    })
    assert.notStrictEqual(quick.code, left, `leap ${line}`)
    assert.deepStrictEqual(
      [line, quick.code, withoutNew(line, quick.stdout), withoutNew(line, quick.stderr)],
      [line, whole.code, withoutNew(line, whole.stdout), withoutNew(line, whole.stderr)]
    )
  }
})

/** The quick way leaves these to the whole program, and says nothing. */
export const leaves = Effect.fnUntraced(function* (room: Room, lines: ReadonlyArray<string>) {
  for (const line of lines) {
    const quick = yield* ran(room, "quickChild", line.split(" "))
    assert.deepStrictEqual([line, quick], [line, { code: left, stdout: "", stderr: "" }])
  }
})
