const mark = "***"

/** Not a secret: a reference to one (`$TOKEN`, `${TOKEN}`, `$(cat file)`), or a masked one. */
const reference = /^["']?(?:\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\})["']?$|\$\(|\$$|\*\*\*)/

const secretName = String.raw`(?:[A-Za-z0-9]{1,40}[_.-]){0,6}(?:api[_-]?key|apikey|access[_-]?key(?:[_-]?id)?|secret(?:[_-]?(?:key|access[_-]?key))?|token|passw(?:or)?d|passwd|pwd|passphrase|credentials?|private[_-]?key|client[_-]?secret|signature|session[_-]?key|pat|pin|otp|dsn)(?:[_-]?\d+)?`
/** A value in quotes, or a bare word of a command line. */
const value = String.raw`("(?:[^"\\]|\\.){0,4096}"?|'[^']{0,4096}'?|(?:[^\s"'&|;<>()\\,]|\\.){1,4096})`

/** Secrets behind a text, which stays. */
const afterText: ReadonlyArray<RegExp> = [
  // headers
  /\b((?:proxy-)?authorization["']?\s{0,8}[:=]\s{0,8}["']?(?:bearer|basic|token|digest|negotiate|apikey)?\s{0,8})([^\s"',]{1,4096})/gi,
  /\b((?:set-)?cookie\s{0,8}:\s{0,8})([^\r\n"']{1,4096})/gi,
  /\b(bearer\s{1,8})([\w.~+/=-]{8,4096})/gi,
  // NAME=value, --name=value, name: value, "name": "value"
  new RegExp(String.raw`(?<![A-Za-z0-9])(${secretName}["']?\s{0,4}(?:=|:(?!//)\s{0,4}))${value}`, "gi"),
  // --name value
  new RegExp(String.raw`((?:^|\s)--?${secretName}\s{1,4})(?!-)${value}`, "gi"),
  // curl -u user:password, mysql -ppassword, sshpass -p password
  /((?:^|\s)(?:-u|--user|--proxy-user)[ =]?["']?[^\s:"']{1,256}:)([^\s"']{1,4096})/g,
  /(\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\b[^\n|;&]{0,512}?\s-p)([^\s"']{1,4096})/g,
  new RegExp(String.raw`(\bsshpass\s{1,4}-p\s{0,4})${value}`, "g")
]

/** Of known formats. */
const tokens: ReadonlyArray<RegExp> = [
  /\b(?:sk|rk|pk)[-_](?:ant-|proj-|live_|test_|or-)?[A-Za-z0-9_-]{16,512}/g,
  /\b(?:gh[pousr]_[A-Za-z0-9]{16,255}|github_pat_\w{16,255}|glpat-[\w-]{16,255}|xox[abeprs]-[\w-]{10,255}|npm_[A-Za-z0-9]{20,255}|hf_[A-Za-z0-9]{20,255}|pypi-[\w-]{16,255}|dop_v1_\w{16,255}|shp(?:at|ss|ca)_\w{16,255}|AIza[\w-]{20,255}|ya29\.[\w-]{16,1024}|SG\.[\w-]{10,255}\.[\w-]{10,255}|(?:AKIA|ASIA)[A-Z0-9]{12,24})/g,
  /\beyJ[\w-]{8,8192}\.[\w-]{4,8192}\.[\w-]{0,8192}/g
]

type Rule = readonly [pattern: RegExp, replace: (...groups: ReadonlyArray<string>) => string]

const rules: ReadonlyArray<Rule> = [
  [
    /-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY)-----[\s\S]*?(-----END \1-----|$)/g,
    (_, kind = "", end = "") => `-----BEGIN ${kind}-----${mark}${end}`
  ],
  // https://user:password@host, https://token@host
  [
    /\b([a-z][a-z0-9+.-]{0,30}:\/\/)([^\s/?#@:"'<>]{0,512}):([^\s/?#"'<>]{1,4096})@/gi,
    (_, scheme = "", user = "", secret = "") => `${scheme}${user}:${kept(secret)}@`
  ],
  [/\b(https?:\/\/)([^\s/?#@:"'<>]{1,512})@/gi, (_, scheme = "", secret = "") => `${scheme}${kept(secret)}@`],
  ...afterText.map((pattern): Rule => [pattern, (_, before = "", secret = "") => before + kept(secret)]),
  ...tokens.map((pattern): Rule => [pattern, () => mark])
]

/** The mask, in the secret's own quotes. References stay. */
const kept = (secret: string): string => {
  if (reference.test(secret)) return secret
  const quote = /^["']/.exec(secret)?.[0] ?? ""
  return quote !== "" && secret.endsWith(quote) && secret.length > 1 ? `${quote}${mark}${quote}` : `${quote}${mark}`
}

/**
 * Masks texts that look like secrets: passwords in URLs, authorization headers, values of variables, options and JSON
 * members with revealing names, keys and tokens of known formats. It helps against leaks and guarantees nothing.
 */
export const maskSecrets = (text: string): string =>
  rules.reduce((masked, [pattern, replace]) => masked.replace(pattern, replace), text)
