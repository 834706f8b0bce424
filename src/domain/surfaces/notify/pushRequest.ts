import type { PushTarget } from "../../store/settings/PushTarget.ts"
import { toBase64, utf8ToLatin1 } from "../../words/text/Bytes.ts"
import { bodyOf, type Notice } from "./Notice.ts"

export interface PushRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly contentType: string
  readonly body: string
}

/** A header's value. Text that is not ASCII is encoded (RFC 2047), which ntfy reads. */
const headerText = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  /^[\u0020-\u007e]*$/.test(text) ? text : `=?UTF-8?B?${toBase64(utf8ToLatin1(text))}?=`

const tags: Readonly<Record<Notice["kind"], string>> = {
  needs: "question",
  done: "white_check_mark",
  failed: "warning",
  limit: "hourglass",
  test: "bell"
}

/** The request for a target. `headers` are the user's own; `token` is the content of the target's token file. */
export const pushRequest = (
  notice: Notice,
  { format, url }: Pick<PushTarget, "format" | "url">,
  headers: Readonly<Record<string, string>>,
  token: string | null,
  at: number
): PushRequest => {
  const own = { ...headers, ...(token === null ? {} : { Authorization: `Bearer ${token}` }) }
  if (format === "ntfy")
    return {
      url,
      headers: {
        Title: headerText(notice.title),
        Tags: tags[notice.kind],
        Priority: notice.kind === "needs" || notice.kind === "failed" ? "high" : "default",
        ...own
      },
      contentType: "text/plain; charset=utf-8",
      body: bodyOf(notice)
    }
  return {
    url,
    headers: own,
    contentType: "application/json",
    body: JSON.stringify({ schema: 1, at: new Date(at).toISOString(), ...notice, body: bodyOf(notice) })
  }
}

/** A target's name for people: only the host, because the rest of the address may be a secret. */
export const targetName = ({ url }: Pick<PushTarget, "url">): string =>
  URL.canParse(url) ? new URL(url).host : "an address that cannot be read"
