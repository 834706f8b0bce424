/**
 * The round trip by which the host answers a hook that waits, as files in the spool. Their names are none that the spool
 * takes for an event: that has numbers behind its first comma.
 */

/** The file that lists the events whose hooks are to wait. */
export const decisionFile = "decision"

/** What the decision file says: whose answers are to be waited for, and to which events. */
export const decisionText = (hostPid: number, events: ReadonlyArray<string>): string => `leap-decision 2 ${[hostPid, ...events].join(" ")}\n`

/** The files that belong to one call: the host's answer, and what the script says has become of it; `taken` may be a line of the bell's instead. */
export const replyName = (mark: string): string => `reply,${mark}`
export const takenName = (mark: string): string => `taken,${mark}`
export const gaveUpName = (mark: string): string => `gave-up,${mark}`

/** The call that one of these files belongs to; null for any other file. */
export const callOf = (name: string): string | null => /^(?:reply|taken|gave-up),(.*)$/s.exec(name)?.[1] ?? null

/** An answer: the line that the hook is to print, "" for what it prints when nobody decides. */
export const replyText = (mark: string, line: string | null): string =>
  // A line break in JSON stands between its parts, where a space is as good.
  `leap-reply 1 ${mark}\n${(line ?? "").replaceAll(/[\r\n]+/g, " ").trim()}\nend\n`
