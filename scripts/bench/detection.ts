import xterm from "@xterm/headless"
import { Effect, Layer } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { fromLatin1, utf8ToLatin1 } from "../../src/domain/Bytes.ts"
import { parseLine } from "../../src/domain/Cast.ts"
import { readOnce } from "../../src/domain/Detection.ts"
import * as OutputScanner from "../../src/domain/OutputScanner.ts"
import type { ScreenView } from "../../src/domain/Screen.ts"
import { defaultModes } from "../../src/domain/Session.ts"
import type { SessionEvent } from "../../src/domain/SessionEvent.ts"
import * as Tracker from "../../src/domain/Tracker.ts"
import * as ProvidersBuiltin from "../../src/layers/ProvidersBuiltin.ts"
import * as ScreenXterm from "../../src/layers/ScreenXterm.ts"
import { Providers } from "../../src/services/Providers.ts"
import { Screen } from "../../src/services/Screen.ts"
import { median, type Row } from "./table.ts"

const recordings = join(import.meta.dirname, "../../test/recordings")
const rounds = 7
const size = { cols: 120, rows: 40 }

/** The output chunks of a CLI's recordings, as they came, up to some bytes. */
const chunksOf = (cli: string, bytes: number): ReadonlyArray<Uint8Array> => {
  const chunks: Array<Uint8Array> = []
  let left = bytes
  for (const file of readdirSync(join(recordings, cli)).filter((name) => /^[^0-9]*\.cast$/.test(name))) {
    for (const line of readFileSync(join(recordings, cli, file), "utf8").split("\n").slice(1)) {
      const parsed = parseLine(line)
      if (parsed._tag !== "Parsed" || parsed.value[1] !== "o") continue
      const chunk = fromLatin1(utf8ToLatin1(parsed.value[2]))
      chunks.push(chunk)
      left -= chunk.length
      if (left <= 0) return chunks
    }
  }
  return chunks
}

const timed = (run: () => void): number => {
  const begun = performance.now()
  run()
  return performance.now() - begun
}

/** Two ways of doing something, in turns; the medians of their times in milliseconds. */
const inTurns = (leap: () => void, bare: () => void): { readonly leap: number; readonly bare: number } => {
  const times = { leap: [] as Array<number>, bare: [] as Array<number> }
  // the first rounds warm the compiler up
  for (let round = -2; round < rounds; round++) {
    const one = { leap: timed(leap), bare: timed(bare) }
    if (round < 0) continue
    times.leap.push(one.leap)
    times.bare.push(one.bare)
  }
  return { leap: median(times.leap), bare: median(times.bare) }
}

/** What it costs to know what a CLI is doing. */
export const benchDetection = (): Promise<ReadonlyArray<Row>> =>
  Effect.gen(function*() {
    const providers = yield* Providers
    const screens = yield* Screen
    const rows: Array<Row> = []
    const live: Array<SessionEvent> = []

    for (const cli of ["claude", "codex", "gemini", "copilot", "opencode"]) {
      const { detection } = yield* providers.get(cli)
      const chunks = chunksOf(cli, 2 << 20)
      const megabytes = chunks.reduce((sum, { length }) => sum + length, 0) / (1 << 20)
      const screen = yield* screens.make({ ...size, scrollback: 0 })
      const bare = new xterm.Terminal({ ...size, scrollback: 0, allowProposedApi: true })
      let at = 0
      const { bare: plain, leap } = inTurns(() => {
        let scanner = OutputScanner.start
        for (const chunk of chunks) {
          const scanned = OutputScanner.scan(scanner, String.fromCharCode(...chunk))
          scanner = scanned.state
          screen.feed(chunk)
          const view = screen.view()
          const event: SessionEvent = { _tag: "Output", at: at += 5, screen: view.whole ? detection.readScreen(view) : null }
          if (live.length < 200_000) live.push(event)
        }
      }, () => {
        for (const chunk of chunks) {
          bare.input("", true)
          bare.write(chunk)
        }
      })
      rows.push({
        what: `${cli}: emulator and screen facts, at every chunk`,
        unit: "MB/s",
        leap: megabytes / leap * 1000,
        base: { what: "@xterm/headless alone", value: megabytes / plain * 1000 }
      })
      // a bell draws nothing, but the screen does not know that before it has looked
      const bell = new Uint8Array([7])
      const look = (read: (view: ScreenView) => unknown, feed: boolean) => () => {
        for (let i = 0; i < 1000; i++) {
          if (feed) screen.feed(bell)
          read(screen.view())
        }
      }
      const one = inTurns(look(detection.readScreen, true), look((view) => view.lines, true))
      rows.push({ what: `${cli}: a look at the screen after output`, unit: "ms", leap: one.leap / 1000, base: { what: "its rows alone", value: one.bare / 1000 } })
      const again = inTurns(look(readOnce(detection.readScreen), false), look(detection.readScreen, true))
      rows.push({ what: `${cli}: a look with no output since`, unit: "ms", leap: again.leap / 1000, base: { what: "after output", value: again.bare / 1000 } })
    }

    const tells = { programStatus: true, ownStatus: true, turnHooks: true }
    const track = Tracker.track({ tells })
    const events = live.map((event, i) => ({ ...event, at: 1e12 + i * 5 }))
    const texts = events.map((event) => JSON.stringify(event))
    const { bare, leap } = inTurns(
      () => void events.reduce(track, Tracker.start(1e12, defaultModes)),
      () => texts.forEach((text) => void JSON.parse(text))
    )
    const perSecond = (ms: number) => events.length / ms
    rows.push({ what: "events through the state machine", unit: "k/s", leap: perSecond(leap), base: { what: "JSON.parse of them", value: perSecond(bare) } })

    const memory = events.slice(0, 1000).reduce(track, Tracker.start(1e12, defaultModes))
    const ticks = (sessions: number) => {
      const memories = Array.from({ length: sessions }, () => memory)
      return () => {
        for (let i = 0; i < 200; i++) {
          const tick: SessionEvent = { _tag: "Tick", at: memory.facts.at + i }
          for (let j = 0; j < sessions; j++) memories[j] = track(memories[j] ?? memory, tick)
        }
      }
    }
    for (const sessions of [1, 10, 50]) {
      const { bare, leap } = inTurns(ticks(sessions), ticks(1))
      rows.push({ what: `a tick of ${sessions} session${sessions === 1 ? "" : "s"}`, unit: "ms", leap: leap / 200, base: { what: "of one", value: bare / 200 } })
    }
    return rows
  }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(ProvidersBuiltin.layer, ScreenXterm.layer)), Effect.runPromise)
