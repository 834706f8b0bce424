import * as Hook from "../../cli/provider/HookVocabulary.ts"
import { firstText } from "../../cli/provider/RequestReading.ts"
import { type Fields, fieldsOf, nonEmptyOf as text } from "../../words/reading/Fields.ts"
import type { Signal } from "../../words/session/Signal.ts"

/**
 * The CLI's own prompt to a model that answered nothing after a tool: the turn continues, although its end was
 * reported.
 */
const nudge = /^\[System: You successfully executed a tool but returned an empty response\b/

const requestSignal = (fields: Fields): Signal => {
  const details = fieldsOf(fields["details"])
  const title = text(details["title"])
  switch (details["type"]) {
    case "ask_user":
      return Hook.asked("question", "ask_user", title)
    case "exit_plan_mode":
      return Hook.asked("plan", "exit_plan_mode", title ?? "approve the plan")
    default: {
      const detail = firstText(details, "command", "filePath", "toolDisplayName", "toolName", "prompt")
      return Hook.asked(
        "permission",
        text(details["rootCommand"]),
        Hook.toolText(title ?? text(fields["message"]), detail)
      )
    }
  }
}

// BeforeModel, BeforeToolSelection and AfterModel (for each streamed part) add nothing, and slow a turn down.
const events: Hook.HookTable = {
  SessionStart: { says: Hook.sessionStarts },
  SessionEnd: { says: Hook.sessionEnds },
  BeforeAgent: {
    says: (call) => {
      const prompt = text(call.fields["prompt"])
      const own = prompt !== null && nudge.test(prompt)
      return [
        Hook.named(call, "turn"),
        { _tag: "TurnStarted", prompt: own ? null : prompt, own, ...(own ? { goesOn: true } : {}) }
      ]
    }
  },
  AfterAgent: {
    // The text is joined from streamed parts, with blanks between and the beginning twice, so it cannot be displayed.
    says: (call) => [Hook.named(call, "turn"), { _tag: "TurnEnded", response: null, background: null }]
  },
  AfterTool: { says: Hook.toolEnds },
  Notification: {
    says: ({ fields }) =>
      fields["notification_type"] === "ToolPermission"
        ? [requestSignal(fields)]
        : Hook.ignored("a notification of another kind")
  },
  // This can refuse a tool; no hook can grant a permission.
  BeforeTool: { waits: 10, says: Hook.toolStarts },
  // Without a matcher this fires before every request, compressed or not; only `manual` is the user's own request.
  PreCompress: {
    matcher: "manual",
    says: (call) =>
      call.fields["trigger"] === "manual" ? Hook.compactStarts(call) : Hook.ignored("the CLI looks whether to compress")
  }
}

export const readHook = Hook.reader(events, (fields) => ({ ...Hook.usualCall(fields), agent: null, id: null }))

export const wiredEvents = Hook.wiredEvents(events, 5)
