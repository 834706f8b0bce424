import xterm from "@xterm/headless"
import { Effect, Layer } from "effect"
import { performance } from "node:perf_hooks"
import { fromLatin1, utf8ToLatin1 } from "../../src/domain/words/text/Bytes.ts"
import { sessionReader } from "../../src/domain/cli/provider/ScreenReading.ts"
import * as OutputScanner from "../../src/domain/terminal/sequences/OutputScanner.ts"
import type { ScreenView } from "../../src/domain/words/session/Screen.ts"
import { defaultModes } from "../../src/domain/words/session/Session.ts"
import type { SessionEvent } from "../../src/domain/words/session/SessionEvent.ts"
import * as Tracker from "../../src/domain/engine/tracker/Tracker.ts"
import * as ProvidersBuiltin from "../../src/layers/providers/ProvidersBuiltin.ts"
import * as ScreenXterm from "../../src/layers/terminal/ScreenXterm.ts"
import { Providers } from "../../src/services/Providers.ts"
import { Screen } from "../../src/services/Screen.ts"
import { list, read } from "../../test/support/recordings/recordings.ts"
import { median, type Row } from "./table.ts"

const rounds = 7
const size = { cols: 120, rows: 40 }

/** The output chunks of a CLI's recordings in order, up to this many bytes. */
const chunksOf = (cli: string, bytes: number): ReadonlyArray<Uint8Array> => {
  const chunks: Array<Uint8Array> = []
  let left = bytes
  for (const name of list(cli).filter((name) => /^[^0-9]*$/.test(name))) {
    for (const [, code, data] of read(name).lines) {
      if (code !== "o") continue
      const chunk = fromLatin1(utf8ToLatin1(data))
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

/** Measures two functions alternately; the medians of their times in milliseconds. */
const inTurns = (leap: () => void, bare: () => void): { readonly leap: number; readonly bare: number } => {
  const times = { leap: [] as Array<number>, bare: [] as Array<number> }
  // the first rounds warm up the compiler
  for (let round = -2; round < rounds; round++) {
    const one = { leap: timed(leap), bare: timed(bare) }
    if (round < 0) continue
    times.leap.push(one.leap)
    times.bare.push(one.bare)
  }
  return { leap: median(times.leap), bare: median(times.bare) }
}

/** Measures what classifying a CLI's state costs. */
export const benchDetection = (): Promise<ReadonlyArray<Row>> =>
  Effect.gen(function* () {
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
      const { bare: plain, leap } = inTurns(
        () => {
          let scanner = OutputScanner.start
          for (const chunk of chunks) {
            const scanned = OutputScanner.scan(scanner, String.fromCharCode(...chunk))
            scanner = scanned.state
            screen.feed(chunk)
            const view = screen.view()
            const event: SessionEvent = {
              _tag: "Output",
              at: (at += 5),
              screen: view.whole ? detection.readScreen(view) : null
            }
            if (live.length < 200_000) live.push(event)
          }
        },
        () => {
          for (const chunk of chunks) {
            bare.input("", true)
            bare.write(chunk)
          }
        }
      )
      rows.push({
        what: `${cli}: emulator and screen facts, at every chunk`,
        unit: "MB/s",
        leap: (megabytes / leap) * 1000,
        base: { what: "@xterm/headless alone", value: (megabytes / plain) * 1000 }
      })
      // a bell draws nothing, but this is known only after the screen has been read
      const bell = new Uint8Array([7])
      const readRepeatedly = (read: (view: ScreenView) => unknown, feed: boolean) => () => {
        for (let i = 0; i < 1000; i++) {
          if (feed) screen.feed(bell)
          read(screen.view())
        }
      }
      const afterOutput = inTurns(
        readRepeatedly(detection.readScreen, true),
        readRepeatedly((view) => view.lines, true)
      )
      rows.push({
        what: `${cli}: a look at the screen after output`,
        unit: "ms",
        leap: afterOutput.leap / 1000,
        base: { what: "its rows alone", value: afterOutput.bare / 1000 }
      })
      const unchanged = inTurns(
        readRepeatedly(sessionReader(detection), false),
        readRepeatedly(detection.readScreen, true)
      )
      rows.push({
        what: `${cli}: a look with no output since`,
        unit: "ms",
        leap: unchanged.leap / 1000,
        base: { what: "after output", value: unchanged.bare / 1000 }
      })
    }

    const capabilities = { programStatus: true, ownStatus: true, turnHooks: true }
    const track = Tracker.track({ capabilities })
    const events = live.map((event, i) => ({ ...event, at: 1e12 + i * 5 }))
    const texts = events.map((event) => JSON.stringify(event))
    const { bare, leap } = inTurns(
      () => void events.reduce(track, Tracker.start(1e12, defaultModes)),
      () => texts.forEach((text) => void JSON.parse(text))
    )
    const perSecond = (ms: number) => events.length / ms
    rows.push({
      what: "events through the state machine",
      unit: "k/s",
      leap: perSecond(leap),
      base: { what: "JSON.parse of them", value: perSecond(bare) }
    })

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
      rows.push({
        what: `a tick of ${sessions} session${sessions === 1 ? "" : "s"}`,
        unit: "ms",
        leap: leap / 200,
        base: { what: "of one", value: bare / 200 }
      })
    }
    return rows
  }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(ProvidersBuiltin.layer, ScreenXterm.layer)), Effect.runPromise)
