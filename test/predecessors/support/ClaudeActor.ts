import { atRest, box, busy, interrupted, permission, question } from "../../support/session/claudeScreens.ts"
import { type Beat, exit, hook, is, keys, play, resize, type Said, send, show, signal } from "./replayScene.ts"

/** One thing that happens in a session of Claude Code. */
export type Verb = (actor: ClaudeActor) => void

/**
 * Leap's own settling, the same for every row: a look comes this many seconds after what it looks at. The bounds behind
 * it are in rules/limits.ts: a dialog counts after 0.25 s, a turn that only its hooks and the screen tell of ends
 * within 1.5 s.
 */
export const settle = 2

/**
 * Plays Claude Code as it draws and tells today, without its status file and status reports: hooks, screen and keys,
 * which is what the predecessor's tables speak of. A screen that works moves, as a real one does: a spinner is drawn
 * every second.
 */
export class ClaudeActor {
  readonly scene: Array<readonly [number, ...ReadonlyArray<Beat>]> = []
  private t = 0.5
  private spinning: ((second: number) => ReadonlyArray<string>) | null = null
  private turns = 0
  private rows: ReadonlyArray<string> = atRest

  happen(...beats: ReadonlyArray<Beat>): void {
    this.scene.push([this.t, ...beats])
    this.t = Math.round((this.t + 0.1) * 1000) / 1000
  }

  draw(rows: ReadonlyArray<string>, more?: Parameters<typeof show>[1]): void {
    this.spinning = null
    this.rows = rows
    this.happen(show(rows, more))
  }

  spin(rows: (second: number) => ReadonlyArray<string>): void {
    this.draw(rows(0))
    this.spinning = rows
  }

  wait(seconds: number): void {
    const end = Math.round((this.t + seconds) * 1000) / 1000
    for (let second = 1; this.spinning !== null && this.t + 1 <= end && second < 200; second++) {
      this.t = Math.round((this.t + 1) * 1000) / 1000
      this.scene.push([this.t, show(this.spinning(second))])
    }
    this.t = end
  }

  /** What is on screen, with this text in its box. */
  drafted(text: string): ReadonlyArray<string> {
    const at = this.rows.findLastIndex((row, y) => row.startsWith("❯") && this.rows[y - 1]?.startsWith("──"))
    return at < 0 ? box(["● Hello."], text) : this.rows.with(at, `❯ ${text}`)
  }

  /** A text that has not been said before in this session. */
  nextPrompt(): string {
    return `task ${++this.turns}`
  }
}

/** Plays a row. The session is at its empty prompt, ready, when it begins. */
export const acts = (...verbs: ReadonlyArray<Verb>) => fromStart(rests, wait(8), ...verbs)

/** The same from the first moment of the CLI's start. */
export const fromStart =
  (...verbs: ReadonlyArray<Verb>) =>
  () => {
    const actor = new ClaudeActor()
    for (const verb of verbs) verb(actor)
    return play("claude", actor.scene)
  }

/** Time passes; what works goes on working. */
export const wait =
  (seconds: number): Verb =>
  (actor) =>
    actor.wait(seconds)

/** What the machine has to say, once it has settled. */
export const look =
  (state: Said["state"], more: Omit<Said, "state"> = {}): Verb =>
  (actor) => {
    actor.wait(settle)
    actor.happen(is(state, more))
  }

/** What it has to say at this very moment. */
export const at =
  (state: Said["state"], more: Omit<Said, "state"> = {}): Verb =>
  (actor) =>
    actor.happen(is(state, more))

/** It draws this. */
export const draws =
  (rows: ReadonlyArray<string>, more?: Parameters<typeof show>[1]): Verb =>
  (actor) =>
    actor.draw(rows, more)
/** Output as it is. */
export const raw =
  (data: string): Verb =>
  (actor) =>
    actor.happen(["o", data])
export const rests: Verb = draws(atRest)
export const works: Verb = (actor) => actor.spin((second) => busy(`✻ Pondering… (${second}s)`))
export const compacts: Verb = (actor) => actor.spin((second) => busy(`✽ Compacting conversation… (${second}s)`))

/** The user's keys, with no echo. */
export const types =
  (data: string): Verb =>
  (actor) =>
    actor.happen(keys(data))
/** The user types into the box, which shows it. */
export const drafts =
  (text: string): Verb =>
  (actor) => {
    actor.happen(keys(text))
    actor.draw(actor.drafted(text))
  }
/** The user's Enter on what is in the box. */
export const enter: Verb = types("\r")
export const escape: Verb = types("\u001b")

/** The CLI takes a prompt and begins its turn. */
export const begins =
  (text: string): Verb =>
  (actor) => {
    actor.happen(hook("UserPromptSubmit", { prompt: text }))
    works(actor)
  }

/** leap types a message, and its turn begins. */
export const sends: Verb = (actor) => {
  const text = actor.nextPrompt()
  actor.happen(send)
  drafts(text)(actor)
  enter(actor)
  begins(text)(actor)
}

/** The user types a prompt, and its turn begins. */
export const prompts =
  (text: string): Verb =>
  (actor) => {
    drafts(text)(actor)
    enter(actor)
    begins(text)(actor)
  }

/** The user gives a command of the CLI's, which fires no hook. */
export const commands =
  (text: string): Verb =>
  (actor) => {
    drafts(text)(actor)
    enter(actor)
  }

/** The turn's end: the hook and the prompt on screen. */
export const ends: Verb = (actor) => {
  endHook(actor)
  actor.draw(box(["● Done."]))
}
export const endHook: Verb = (actor) =>
  actor.happen(hook("Stop", { last_assistant_message: "Done.", background_tasks: [] }))
export const permissionHook: Verb = (actor) =>
  actor.happen(hook("PermissionRequest", { tool_name: "Bash", tool_input: { command: "mkdir -p out" } }))
export const questionHook: Verb = (actor) =>
  actor.happen(
    hook("PermissionRequest", {
      tool_name: "AskUserQuestion",
      tool_input: { questions: [{ question: "Which library should we use for dates?" }] }
    })
  )

/** It asks for a permission. */
export const asks: Verb = (actor) => {
  permissionHook(actor)
  actor.draw(permission)
}
/** It asks a question. */
export const questions: Verb = (actor) => {
  questionHook(actor)
  actor.draw(question)
}
/** It says that it was stopped. */
export const stopped: Verb = draws(interrupted)
/** The user stops the turn. */
export const stops: Verb = (actor) => {
  escape(actor)
  stopped(actor)
}
/** A bare state, as the predecessor's hook script wrote it. */
export const signals =
  (state: string): Verb =>
  (actor) =>
    actor.happen(signal(state))
export const exits: Verb = (actor) => actor.happen(exit)
export const resizes =
  (cols: number, rows: number): Verb =>
  (actor) =>
    actor.happen(resize(cols, rows))
