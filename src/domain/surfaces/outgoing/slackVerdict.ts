import type { DeliveryResult } from "./deliveryResult.ts"

/** Slack's errors for a message that it will never accept. */
const refusals: ReadonlySet<string> = new Set([
  "invalid_arguments",
  "invalid_blocks",
  "invalid_blocks_format",
  "msg_blocks_too_long",
  "msg_too_long",
  "no_text",
  "markdown_text_conflict"
])

/** Slack's errors for a thread or a message that is gone. */
const goneThread: ReadonlySet<string> = new Set(["thread_not_found", "message_not_found", "cannot_reply_to_message"])

export const isThreadGone = (code: string | null): boolean => code !== null && goneThread.has(code)

/** The result for a Slack failure. Possible mistakes in settings (token, channel, scope) are retried. */
export const slackVerdict = ({
  afterMs,
  code,
  why
}: {
  readonly code: string | null
  readonly why: string
  readonly afterMs: number | null
}): DeliveryResult =>
  code !== null && (refusals.has(code) || isThreadGone(code))
    ? { _tag: "Refused", why }
    : { _tag: "Again", why, afterMs }
