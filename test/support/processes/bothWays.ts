import { assert } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { childProgram } from "../children/childProgram.ts"
import { isThorough } from "../run/thorough.ts"
import { type Ran, type Room, runToEnd } from "./Room.ts"

/** The exit code of the light way where it leaves a command to the whole program. */
export const left = 99

/** Runs one of the two ways: `thinChild` or `wholeChild`. */
export const ran = (room: Room, program: string, args: ReadonlyArray<string>): Effect.Effect<Ran> =>
  runToEnd([process.execPath, childProgram(program), ...args], { env: room.env, cwd: room.dir })

/** How long the light way waits for a host's first word, which a machine under load may not hear by then. */
const patience = Duration.seconds(1)

/** The light way, once more where it gave up a host that was only slow. */
const ranLight = (room: Room, args: ReadonlyArray<string>, tries = 5): Effect.Effect<Ran> =>
  Effect.flatMap(Effect.timed(ran(room, "thinChild", args)), ([took, thin]) =>
    thin.code === left && tries > 1 && Duration.isGreaterThan(took, patience)
      ? ranLight(room, args, tries - 1)
      : Effect.succeed(thin)
  )

/** Ids are new for each message. */
const withoutIds = (text: string) => text.replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, "ID")

/**
 * Both ways print the same, and the light one does it itself. The ordinary test command takes each third line, and those
 * that change something.
 */
export const same = Effect.fnUntraced(function* (room: Room, lines: ReadonlyArray<string>) {
  for (const [n, line] of lines.entries()) {
    if (!isThorough && n % 3 > 0 && !/^(?:send|mode w -)/.test(line)) continue
    const args = line.split(" ")
    const [thin, whole] = yield* Effect.all([ranLight(room, args), ran(room, "wholeChild", args)], {
      concurrency: line.startsWith("send") ? 1 : 2
    })
    assert.notStrictEqual(thin.code, left, `leap ${line}`)
    assert.deepStrictEqual(
      [line, thin.code, withoutIds(thin.stdout), withoutIds(thin.stderr)],
      [line, whole.code, withoutIds(whole.stdout), withoutIds(whole.stderr)]
    )
  }
})

/** The light way leaves these to the whole program, and says nothing. */
export const leaves = Effect.fnUntraced(function* (room: Room, lines: ReadonlyArray<string>) {
  for (const line of lines) {
    const thin = yield* ran(room, "thinChild", line.split(" "))
    assert.deepStrictEqual([line, thin], [line, { code: left, stdout: "", stderr: "" }])
  }
})
