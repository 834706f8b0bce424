import { noFile } from "./programs/remote.ts"
import { baseName, isSure, type ShellWord } from "./ShellWords.ts"
import { type UrlPattern, urlAllowed } from "./UrlPattern.ts"

type Words = ReadonlyArray<ShellWord>

/**
 * curl's options that neither read nor write a file, nor say whom to ask: a closed list, by whether a value follows. Of
 * the values, `@` and `<` begin the name of a file, and `%output{` too.
 */
const plainFlags =
  /^-(?:[sSfLvkiIGNg46]+|-(?:silent|show-error|fail|fail-with-body|location|verbose|insecure|include|head|get|compressed|no-buffer|no-progress-meter|ipv4|ipv6|retry-connrefused))$/
const valuedShort = /^-[sSfLvkiIGNg46]*[XHdmwAeur]$/
const valuedLong =
  /^--(?:request|header|data|data-raw|data-binary|data-urlencode|json|max-time|connect-timeout|write-out|user-agent|referer|user|retry|retry-delay|retry-max-time)$/
const output = /^-[sSfLvkiIGNg46]*o$|^--output$/

/** The addresses that curl asks, all of them certain; null where its arguments say more than that. */
const curlAddresses = (args: Words): ReadonlyArray<string> | null => {
  const found: Array<string> = []
  for (let i = 0; i < args.length; i++) {
    const { text } = args[i]!
    const next = args[i + 1]
    if (!isSure(args[i]!)) return null
    if (plainFlags.test(text)) continue
    if (output.test(text)) {
      if (next?.text !== "/dev/null" || !isSure(next)) return null
      i++
    } else if (valuedShort.test(text) || valuedLong.test(text)) {
      if (next === undefined || !isSure(next) || !noFile.test(next.text)) return null
      i++
    } else if (text.startsWith("-") || /[{}[\]\\]/.test(text.replace(/^(?:https?:\/\/)?\[[\da-f:]+\]/i, "")))
      return null
    else found.push(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`)
  }
  return found.length === 0 ? null : found
}

/** Whether a command asks only addresses that the pattern matches, and does nothing else. */
export const asksOnly = (pattern: UrlPattern, words: Words): boolean => {
  const addresses = baseName(words[0]?.text ?? "") === "curl" ? curlAddresses(words.slice(1)) : null
  return addresses !== null && addresses.every((address) => urlAllowed(pattern, address))
}

const connecting: ReadonlySet<string> = new Set(
  "curl wget http https xh aria2c lynx w3m links ssh scp sftp rsync ftp nc ncat netcat telnet openssl socat git".split(
    " "
  )
)

/** An address whose host is certain, whatever follows it. */
const certainHost = /^[a-z][a-z\d+.-]*:\/\/[^/@\\{}[\]*?$]+\//i

/** Whether a command may connect to an address that its words do not show. */
export const mayConnect = ([head, ...args]: Words): boolean => {
  const program = baseName(head?.text ?? "")
  if (!connecting.has(program)) return false
  if (
    program === "git" &&
    !args.some(({ text }) => /^(?:clone|fetch|pull|push|ls-remote|remote|submodule)$/.test(text))
  )
    return false
  return args.some(
    (word) =>
      !certainHost.test(word.text.slice(0, word.sure)) &&
      (!isSure(word) || (program === "curl" && /:\/\/.*[{[]|^[^:/?]*[{[]/.test(word.text) && !/[\s"]/.test(word.text)))
  )
}
