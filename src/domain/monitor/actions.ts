import type { FeedSession } from "../session/Feed.ts"
import * as Editor from "../tui/Editor.ts"
import {
  type Choice,
  doing,
  inMode,
  isAsking,
  listing,
  mayRetry,
  type MonitorCommand,
  type MonitorState,
  named,
  noticed,
  only,
  runs,
  selectedOf,
  targetsOf,
  type Updated
} from "./MonitorState.ts"

/** What a key of the list does to the sessions that are marked, or to the selected one. */

const tagsOf = (sessions: ReadonlyArray<FeedSession>): ReadonlyArray<string> => sessions.map(({ status }) => status.tag)

/** Those of the targets that fit; says why there are none. */
const withTargets = (
  state: MonitorState,
  fits: (session: FeedSession) => boolean,
  none: string,
  use: (tags: ReadonlyArray<string>, sessions: ReadonlyArray<FeedSession>) => Updated
): Updated => {
  const targets = targetsOf(state)
  if (targets.length === 0) return only(noticed(state, "no session is selected", true))
  const fitting = targets.filter(fits)
  if (fitting.length > 0) return use(tagsOf(fitting), fitting)
  return only(noticed(state, `${named(tagsOf(targets))}: ${none}`, true))
}

const withSelected = (state: MonitorState, use: (session: FeedSession) => Updated): Updated => {
  const session = selectedOf(state)
  return session === null ? only(noticed(state, "no session is selected", true)) : use(session)
}

const choose = (state: MonitorState, question: string, choices: ReadonlyArray<Choice>): Updated =>
  only(inMode(state, { _tag: "Choose", question, choices: [...choices, { key: "n", label: "no", command: null }] }))

export const visit = (state: MonitorState, what: "attach" | "queue"): Updated =>
  withSelected(state, (session) => {
    const { tag } = session.status
    if (!runs(session) && what === "attach")
      return choose(state, `${tag} has ended: resume it?`, [
        { key: "y", label: "yes", command: { _tag: "Resume", tags: [tag] } }
      ])
    return doing(state, { _tag: "Visit", what, tag })
  })

export const send = (state: MonitorState): Updated =>
  withTargets(state, runs, "it has ended: r resumes it", (tags) =>
    only(inMode(state, { _tag: "Write", purpose: { _tag: "Send", tags }, editor: Editor.empty }))
  )

export const answer = (state: MonitorState): Updated =>
  withSelected(state, (session) => {
    const { question = null, tag } = session.status
    if (!isAsking(session)) return only(noticed(state, `${tag} asks nothing now`, true))
    if (question === null || question.options.length === 0) return answerText(state, tag, question)
    return only(inMode(state, { _tag: "Answer", tag, question, marked: 0 }))
  })

export const answerText = (
  state: MonitorState,
  tag: string,
  question: Extract<MonitorCommand, { readonly _tag: "Answer" }>["question"]
): Updated => only(inMode(state, { _tag: "Write", purpose: { _tag: "Answer", tag, question }, editor: Editor.empty }))

const turns: ReadonlySet<string> = new Set(["running", "needs_permission", "needs_input", "churning"])

export const interrupt = (state: MonitorState): Updated =>
  withTargets(
    state,
    ({ status }) => turns.has(status.state),
    "there is no turn to interrupt",
    (tags) => {
      const command: MonitorCommand = { _tag: "Interrupt", tags }
      if (tags.length === 1) return doing(state, command)
      return choose(state, `Interrupt the turns of ${named(tags)}?`, [{ key: "y", label: "yes", command }])
    }
  )

export const retry = (state: MonitorState): Updated =>
  withTargets(state, mayRetry, "no message of it has failed", (tags) => doing(state, { _tag: "Retry", tags }))

export const modes = (state: MonitorState): Updated =>
  withTargets(state, runs, "it has ended", (tags) => {
    const choice = (
      key: string,
      label: string,
      modes: Extract<MonitorCommand, { _tag: "SetModes" }>["modes"]
    ): Choice => ({
      key,
      label,
      command: { _tag: "SetModes", tags, modes }
    })
    return only(
      inMode(state, {
        _tag: "Choose",
        question: `Dialogs of ${named(tags)}:`,
        choices: [
          choice("p", "wait for you", { autoSend: "pause" }),
          choice("a", "are answered by policy", { autoSend: "always" }),
          choice("w", "messages wait for background work", { churn: "wait" }),
          choice("s", "go out meanwhile", { churn: "send" }),
          choice("l", "it goes on by itself after its limit", { night: "on" }),
          choice("o", "it stays after its limit", { night: "off" })
        ]
      })
    )
  })

/** A time for which nothing is told of a session. */
const muteMinutes = 60

export const mute = (state: MonitorState): Updated =>
  withTargets(state, runs, "it has ended", (tags) => {
    const choice = (key: string, label: string, mute: string): Choice => ({
      key,
      label,
      command: { _tag: "SetModes", tags, modes: { mute } }
    })
    return choose(state, `Be told of ${named(tags)}?`, [
      choice("h", "not for an hour", new Date(state.now + muteMinutes * 60_000).toISOString()),
      choice("m", "not until it is unmuted", "on"),
      choice("u", "as before", "off")
    ])
  })

export const stop = (state: MonitorState): Updated =>
  withTargets(state, runs, "it has ended already", (tags) =>
    choose(state, `Stop ${named(tags)}? What is queued is kept.`, [
      { key: "y", label: "yes", command: { _tag: "Stop", tags, force: false } },
      { key: "k", label: "kill at once", command: { _tag: "Stop", tags, force: true } }
    ])
  )

export const forget = (state: MonitorState): Updated =>
  withTargets(
    state,
    (session) => !runs(session),
    "it runs: x stops it",
    (tags, sessions) => {
      const held = sessions.reduce(
        (sum, { status }) => sum + status.queue.filter((message) => message.status === "held").length,
        0
      )
      const lost = held === 0 ? "" : ` ${held === 1 ? "1 held message goes" : `${held} held messages go`} with it.`
      return choose(state, `Forget ${named(tags)}?${lost}`, [
        { key: "y", label: "yes", command: { _tag: "Forget", tags, force: held > 0 } }
      ])
    }
  )

export const resume = (state: MonitorState): Updated =>
  withTargets(
    state,
    (session) => !runs(session),
    "it runs already",
    (tags) => doing(state, { _tag: "Resume", tags })
  )

export const move = (state: MonitorState): Updated =>
  withSelected(state, ({ status }) =>
    only(
      inMode(state, {
        _tag: "Write",
        purpose: { _tag: "Move", tag: status.tag },
        editor: Editor.of(status.cwd)
      })
    )
  )

export const copy = (state: MonitorState): Updated =>
  withSelected(state, ({ status }) => {
    const choice = (key: string, label: string, text: string | null): ReadonlyArray<Choice> =>
      text === null || text === "" ? [] : [{ key, label, command: { _tag: "Copy", text, what: label } }]
    return only(
      inMode(state, {
        _tag: "Choose",
        question: "Copy",
        choices: [
          ...choice("t", "the tag", status.tag),
          ...choice("d", "the directory", status.cwd),
          ...choice("m", "the last message", status.lastMessage),
          ...choice("a", "the last answer", status.lastResponse)
        ]
      })
    )
  })

/** What an editor's text does, once it is entered. */
export const entered = (
  state: MonitorState,
  { editor, purpose }: Extract<MonitorState["mode"], { readonly _tag: "Write" }>
): Updated => {
  const { text } = Editor.contentOf(editor)
  if (text.trim() === "") return only(state)
  switch (purpose._tag) {
    case "Send":
      return doing(listing(state), { _tag: "Send", tags: purpose.tags, text })
    case "Answer":
      return doing(listing(state), { _tag: "Answer", tag: purpose.tag, answer: text, question: purpose.question })
    case "Move": {
      const session = state.sessions.get(purpose.tag)
      const directory = text.trim()
      if (session === undefined) return only(noticed(listing(state), `${purpose.tag} is gone`, true))
      if (directory === session.status.cwd) return only(noticed(listing(state), "it lives there already"))
      const command = { _tag: "Move", tag: purpose.tag, directory, restart: runs(session) } as const
      if (!command.restart) return doing(listing(state), command)
      return choose(state, `${purpose.tag} runs: stop it, move it and start it there?`, [
        { key: "y", label: "yes", command }
      ])
    }
  }
}
