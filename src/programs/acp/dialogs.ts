import { asks } from "../../domain/words/session/states.ts"
import { Effect, FiberHandle } from "effect"
import { answerOf, editorRequest, needNotices } from "../../domain/surfaces/acp/DialogRequest.ts"
import { asPermission } from "../../domain/cli/provider/DialogChoice.ts"
import { contentOf } from "../../domain/surfaces/acp/Updates.ts"
import type { Need } from "../../domain/words/attention/Need.ts"
import { needsOf } from "../../domain/words/attention/needsOf.ts"
import type { Question, SessionStatus } from "../../domain/words/session/Session.ts"
import { isSameQuestion } from "../../domain/surfaces/web/webSession.ts"
import type { Editor } from "../../services/AcpServer.ts"
import type { HostClient } from "../../services/ControlSocket.ts"
import type { Provider } from "../../services/CLIProvider.ts"
import { describe } from "../exit.ts"
import { callTimeout } from "../client/callHost.ts"

/** A dialog that disappears within this time, by itself or by leap's answer, is not shown. */
const flicker = "300 millis"

interface Asking {
  readonly tag: string
  readonly client: HostClient
  readonly provider: Provider | null
  readonly editor: Editor
  readonly notice: (text: string) => Effect.Effect<void>
}

/**
 * Asks the editor about each dialog of a session, one at a time, and answers with the user's choice. The answer is
 * given only if the same dialog is still open; otherwise the editor's request is withdrawn. Other needs of the session
 * are sent as notices. Call it with each status.
 */
export const makeDialogs = Effect.fnUntraced(function* ({ client, editor, notice, provider, tag }: Asking) {
  const asking = yield* FiberHandle.make()
  let asked: Question | null = null
  let needs: ReadonlyArray<Need> = []
  let count = 0

  const ask = Effect.fnUntraced(function* (question: Question, isPermission: boolean) {
    yield* Effect.sleep(flicker)
    const plainYes = provider?.permissions.plainYes(asPermission(question)) ?? null
    const request = editorRequest(`dialog-${++count}`, question, isPermission ? { plainYes } : null)
    const { subject, title, toolCallId } = request
    const ended = (status: "completed" | "failed", text: string) =>
      editor.update(tag, { sessionUpdate: "tool_call_update", toolCallId, status, content: contentOf(text) })
    yield* editor.update(tag, {
      sessionUpdate: "tool_call",
      toolCallId,
      title,
      kind: "other",
      status: "pending",
      content: contentOf(subject ?? title),
      _meta: { leap: { knownBy: "screen" } }
    })
    let isChosen = false
    yield* Effect.gen(function* () {
      const chosen = yield* editor.ask(tag, request)
      isChosen = true
      const answer = chosen === null ? null : answerOf(question, chosen)
      if (answer === null)
        return yield* ended("failed", "Not answered here: the dialog waits in the session's terminal")
      // the dialog disappears while its answer is given
      return yield* client.Answer({ answer, question }).pipe(
        Effect.timeout(callTimeout),
        Effect.flatMap((given) => ended("completed", `Answered: ${given.answer}`)),
        Effect.catch((error) => ended("failed", `Not answered: ${describe(error).message}`)),
        Effect.uninterruptible
      )
    }).pipe(Effect.onInterrupt(() => (isChosen ? Effect.void : ended("failed", "Answered in the terminal, or gone"))))
  })

  return Effect.fnUntraced(function* (status: SessionStatus) {
    const question = asks(status.state) ? (status.question ?? null) : null
    const isAnswerable = question !== null && question.options.length > 0
    const before = needs
    needs = needsOf(status)
    for (const line of needNotices(before, needs, isAnswerable))
      yield* notice(`${line} ('leap attach ${tag}' shows it)`)
    if (!isAnswerable) {
      if (asked !== null) yield* FiberHandle.clear(asking)
      asked = null
      return
    }
    if (asked !== null && isSameQuestion(question, asked)) return
    asked = question
    yield* FiberHandle.run(asking, ask(question, status.state === "needs_permission"))
  })
})
