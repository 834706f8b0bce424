import type { Moment } from "../../store/worktrees/moments.ts"
import { heldOf } from "../../words/session/failedMessage.ts"
import { needsOf } from "../../words/attention/needsOf.ts"
import * as Actions from "../operations/actions.ts"
import type { Call } from "../operations/calls.ts"
import type { FeedSession } from "../../words/session/Feed.ts"
import type { Question, SessionStatus } from "../../words/session/Session.ts"
import * as Editor from "../tui/Editor.ts"
import {
  type Choice,
  cutOff,
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

/** The effects of the list's keys on the marked sessions, or on the selected one. */

const tagsOf = (sessions: ReadonlyArray<FeedSession>): ReadonlyArray<string> => sessions.map(({ status }) => status.tag)

/** The targets that fit; a notice says why there are none. */
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

export const visit = (state: MonitorState, what: "attach" | "queue" | "editor" | "hand" | "move"): Updated =>
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

export const answerText = (state: MonitorState, tag: string, question: Question | null): Updated =>
  only(inMode(state, { _tag: "Write", purpose: { _tag: "Answer", tag, question }, editor: Editor.empty }))

export const interrupt = (state: MonitorState): Updated =>
  withTargets(
    state,
    ({ status }) => Actions.turnActions(status).length > 0,
    "there is no turn to interrupt",
    (tags) => {
      const command: MonitorCommand = { _tag: "Do", tags, call: { _tag: "Interrupt" } }
      if (tags.length === 1) return doing(state, command)
      return choose(state, `Interrupt the turns of ${named(tags)}?`, [{ key: "y", label: "yes", command }])
    }
  )

export const retry = (state: MonitorState): Updated =>
  withTargets(state, mayRetry, "no message of it has failed", (tags) =>
    doing(state, { _tag: "Do", tags, call: { _tag: "QueueRetry", id: null } })
  )

const choicesOf = (tags: ReadonlyArray<string>, actions: ReadonlyArray<Actions.Action>): ReadonlyArray<Choice> =>
  actions.map((action) => ({
    key: action.key,
    label: Actions.keyLabel(action),
    command: { _tag: "Do", tags, call: action.call }
  }))

const modesOf = (sessions: ReadonlyArray<FeedSession>): SessionStatus["modes"] | null => {
  const [only, ...others] = sessions
  return only === undefined || others.length > 0 ? null : only.status.modes
}

export const modes = (state: MonitorState): Updated =>
  withTargets(state, runs, "it has ended", (tags, sessions) =>
    only(
      inMode(state, {
        _tag: "Choose",
        question: `Modes of ${named(tags)}:`,
        choices: choicesOf(tags, Actions.modeActions(modesOf(sessions)))
      })
    )
  )

export const mute = (state: MonitorState): Updated =>
  withTargets(state, runs, "it has ended", (tags, sessions) =>
    choose(state, `Be told of ${named(tags)}?`, choicesOf(tags, Actions.muteActions(modesOf(sessions), state.now)))
  )

export const dismiss = (state: MonitorState): Updated =>
  withSelected(state, ({ status }) => {
    const [action] = Actions.needActions(needsOf(status))
    if (action === undefined) return only(noticed(state, `${status.tag} needs nothing of you`, true))
    return doing(state, { _tag: "Do", tags: [status.tag], call: action.call })
  })

export const stop = (state: MonitorState): Updated =>
  withTargets(state, runs, "it has ended already", (tags) => {
    const actions = Actions.stopActions(named(tags))
    return choose(state, actions[0]?.confirm ?? "", choicesOf(tags, actions))
  })

export const forget = (state: MonitorState): Updated =>
  withTargets(
    state,
    (session) => !runs(session),
    "it runs: x stops it",
    (tags, sessions) => {
      const held = sessions.reduce((sum, { status }) => sum + heldOf(status.queue), 0)
      return choose(state, Actions.forgetQuestion(named(tags), held), [
        { key: "y", label: "yes", command: { _tag: "Forget", tags, force: held > 0 } }
      ])
    }
  )

/** Resumes ended sessions; with nothing marked and a running one selected, the user picks an earlier conversation. */
export const resume = (state: MonitorState): Updated => {
  const selected = selectedOf(state)
  return state.marked.size === 0 && (selected === null || runs(selected))
    ? doing(state, { _tag: "Visit", what: "resume" })
    : withTargets(
        state,
        (session) => !runs(session),
        "it runs already",
        (tags) => doing(state, { _tag: "Resume", tags })
      )
}

export const resumeCutOff = (state: MonitorState): Updated => {
  const tags = state.names.filter((tag) => {
    const session = state.sessions.get(tag)
    return session !== undefined && cutOff(session)
  })
  if (tags.length === 0) return only(noticed(state, "no session was ended by a crash or a reboot"))
  return doing(noticed(state, `going on with ${named(tags)} …`), { _tag: "Resume", tags })
}

export const show = (state: MonitorState): Updated =>
  state.sessions.size === 0 ? doing(state, { _tag: "Visit", what: "demo" }) : only(state)

export const compare = (state: MonitorState, tag: string, against: Moment | null = null): Updated =>
  doing(
    inMode(state, {
      _tag: "Changes",
      tag,
      against,
      said: null,
      files: [],
      parts: new Map(),
      worktree: false,
      at: 0,
      top: 0,
      left: 0
    }),
    { _tag: "Compare", tag, against }
  )

export const changes = (state: MonitorState): Updated =>
  withSelected(state, ({ status: { tag } }) => compare(state, tag))

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

const sending = (text: string): Call => ({ _tag: "Send", text, images: [], front: false, force: false })

export const answering = (tag: string, answer: string, question: Question | null): MonitorCommand => ({
  _tag: "Do",
  tags: [tag],
  call: { _tag: "Answer", answer, ...(question === null ? {} : { question }) }
})

export const entered = (
  state: MonitorState,
  { editor, purpose }: Extract<MonitorState["mode"], { readonly _tag: "Write" }>
): Updated => {
  const { text } = Editor.contentOf(editor)
  if (text.trim() === "") return only(state)
  switch (purpose._tag) {
    case "Send":
      return doing(listing(state), { _tag: "Do", tags: purpose.tags, call: sending(text) })
    case "Answer":
      return doing(listing(state), answering(purpose.tag, text, purpose.question))
  }
}
