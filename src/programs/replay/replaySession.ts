import { reasonWords } from "../../domain/words/wording/reasonWords.ts"
import { Option, Schema } from "effect"
import type { AuditNote } from "../../domain/engine/approvals/ApprovalCommand.ts"
import { ApprovalEvent } from "../../domain/engine/approvals/ApprovalEvent.ts"
import type { Command } from "../../domain/engine/machine/Command.ts"
import * as Driver from "../../domain/engine/machine/Driver.ts"
import type { MachineEvent } from "../../domain/engine/machine/MachineEvent.ts"
import * as SessionMachine from "../../domain/engine/machine/SessionMachine.ts"
import { sessionReader } from "../../domain/cli/provider/ScreenReading.ts"
import { emptyQueue } from "../../domain/engine/queue/Queue.ts"
import * as Cast from "../../domain/terminal/recording/Cast.ts"
import { defaultModes, Modes } from "../../domain/words/session/Session.ts"
import type { Signal } from "../../domain/words/session/Signal.ts"
import { hookSource } from "../../domain/engine/tracker/HookWitness.ts"
import * as InputBytes from "../../domain/terminal/sequences/InputBytes.ts"
import * as OutputScanner from "../../domain/terminal/sequences/OutputScanner.ts"
import { fromLatin1, utf8ToLatin1 } from "../../domain/words/text/Bytes.ts"
import type { Provider } from "../../services/CLIProvider.ts"
import type { ScreenHandle } from "../../services/Screen.ts"

/** Takes a recording's lines and returns the output lines; synchronous, and the only holder of its state. */
export interface Replay {
  readonly first: () => ReadonlyArray<string>
  readonly take: (line: Cast.CastLine) => ReadonlyArray<string>
}

export interface ReplayParts {
  readonly provider: Pick<Provider, "detection" | "input" | "permissions">
  readonly screen: ScreenHandle
  /** See `ReplayOptions.noHooks`. */
  readonly noHooks: boolean
  /** The recording's start, in milliseconds since the epoch. */
  readonly base: number
}

/** Output is drawn in pieces of this many characters: drawing takes memory in proportion to them. */
const pieceLength = 64 << 10

const noCapabilities = { programStatus: false, ownStatus: false, turnHooks: false }

const decodeModes = Schema.decodeUnknownOption(Modes)
const decodeApproval = Schema.decodeUnknownOption(ApprovalEvent)

/**
 * Runs the session's machine over a recording. Its commands were carried out during the recording, so they are skipped,
 * and their results come from the recording. Each permission decision gets an output line.
 */
export const makeReplay = ({ base, noHooks, provider, screen }: ReplayParts): Replay => {
  const { detection } = provider
  const driver = Driver.driver({
    detection: noHooks ? { capabilities: { ...detection.capabilities, ...noCapabilities } } : detection,
    input: provider.input,
    permissions: provider.permissions
  })
  let memory = SessionMachine.start({ at: base, modes: defaultModes, queue: emptyQueue })
  let lastPrinted = ""
  let now = base
  const readScreen = sessionReader(detection)
  let input = InputBytes.start
  let scanner = OutputScanner.start
  let half = ""
  let out: Array<string> = []
  let decisions: Array<AuditNote> = []
  let by: "user" | "leap" = "user"

  const print = (more: { readonly tick?: boolean; readonly decision?: AuditNote }) => {
    const view = SessionMachine.viewOf(memory)
    const { dialog, ready, state } = view
    const stateKey = `${state} ${ready} ${dialog}`
    if (more.tick !== true && more.decision === undefined && stateKey === lastPrinted) return
    lastPrinted = stateKey
    const t = Math.round((now - base) * 1000) / 1_000_000
    out.push(JSON.stringify({ t, state, ready, dialog, reason: reasonWords(view), ...more }))
  }
  const execute = (command: Command): MachineEvent | null => {
    if (command._tag === "Audit") decisions.push(command.entry)
    // Its log is not kept: an attempt is never written, everything else immediately.
    if (command._tag !== "Append") return null
    return { _tag: "Recorded", at: now, records: command.records.filter(({ _tag }) => _tag !== "Attempted") }
  }
  const event = (next: MachineEvent) => {
    memory = driver.drain(memory, next, execute)
  }
  const signals = (source: string, list: ReadonlyArray<Signal>) => {
    for (const signal of list) event({ _tag: "Signal", at: now, source, signal })
  }
  const printAll = (more: { readonly tick?: boolean }) => {
    print(more)
    for (const decision of decisions) print({ decision })
    decisions = []
  }
  const advance = (to: number) => {
    for (let due = SessionMachine.wakeAt(memory); due !== null && due <= to; due = SessionMachine.wakeAt(memory)) {
      now = due
      event({ _tag: "Tick", at: now })
      printAll({})
    }
    now = to
  }
  const sample = () => {
    const view = screen.view()
    event({ _tag: "Output", at: now, screen: view.whole ? readScreen(view) : null })
  }
  const draw = (data: string) => {
    const text = half + data
    half = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? ""
    const scanned = OutputScanner.scan(scanner, utf8ToLatin1(half === "" ? text : text.slice(0, -1)))
    scanner = scanned.state
    for (const segment of scanned.segments) {
      screen.feed(fromLatin1(segment.data))
      if (segment._tag === "Report" && segment.report !== null && !noHooks) {
        event({ _tag: "Reported", at: now, report: segment.report })
      }
    }
  }
  const output = (data: string) => {
    for (let from = 0; from < data.length || from === 0; from += pieceLength) draw(data.slice(from, from + pieceLength))
    sample()
  }
  const keys = (data: string) => {
    const classified = InputBytes.classify(input, utf8ToLatin1(data), now)
    input = classified.state
    const pressed = classified.parts.flatMap((part) => (part._tag === "Keys" ? [part.kind] : []))
    const continues = classified.parts[0]?.continues === true
    if (pressed.length > 0 || continues)
      event({ _tag: "Input", at: now, keys: pressed, by, ...(continues ? { continues } : {}) })
    by = "user"
  }
  const resize = (data: string) => {
    const size = Cast.parseSize(data)
    if (size === null) return
    screen.resize(size.cols, size.rows)
    event({ _tag: "Resize", at: now, ...size })
  }
  const approval = (recorded: unknown) => {
    const fields = typeof recorded === "object" && recorded !== null ? recorded : {}
    const read = Option.getOrNull(decodeApproval({ ...fields, at: now }))
    if (read !== null) event(read)
  }
  const marker = (label: string) => {
    const read = Cast.parseMarker(label)
    switch (read._tag) {
      case "Hook":
        return noHooks ? undefined : signals(hookSource(read.event), detection.readHook(read.event, read.payload))
      case "OwnStatus":
        return noHooks ? undefined : signals("session file", detection.readOwnStatus(read.content))
      case "Transcript":
        return noHooks ? undefined : signals("transcript", detection.readTranscript(read.record))
      case "Approval":
        return noHooks ? undefined : approval(read.event)
      case "Modes": {
        const modes = Option.getOrNull(decodeModes(read.modes))
        return modes === null ? undefined : event({ _tag: "ModesChanged", at: now, modes })
      }
      case "By":
        by = read.by
        return
      case "Signal":
        return noHooks ? undefined : signals(`signal ${read.state}`, bareSignal(read.state))
      case "Send":
        return event({ _tag: "Send", at: now })
      case "Exit":
        return event({ _tag: "Exited", at: now, exit: { code: null, signal: null } })
      case "Other":
    }
  }
  const takeLines = () => {
    const lines = out
    out = []
    return lines
  }
  return {
    first: () => {
      print({})
      return takeLines()
    },
    take: ([seconds, code, data]) => {
      advance(Math.max(now, base + seconds * 1000))
      switch (code) {
        case "o":
          output(data)
          break
        case "i":
          keys(data)
          break
        case "r":
          resize(data)
          break
        case "m":
          marker(data)
      }
      printAll(code === "k" ? { tick: true } : {})
      return takeLines()
    }
  }
}

/** The signals of a bare word, as old hook scripts wrote it. */
const bareSignal = (state: string): ReadonlyArray<Signal> => {
  switch (state) {
    case "idle":
      return [{ _tag: "TurnEnded", response: null, background: null }]
    case "needs_permission":
      return [{ _tag: "Asked", kind: "permission", tool: null, message: null }]
    case "needs_input":
    case "has_question":
      return [{ _tag: "Asked", kind: "question", tool: null, message: null }]
    case "interrupted":
      return [{ _tag: "Interrupted", at: null }]
    default:
      return []
  }
}
