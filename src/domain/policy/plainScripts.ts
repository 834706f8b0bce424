/** Scripts of programs with a language of their own, which run nothing and open no file besides those given. */

/** Whether a script is such a one. */
export type Plain = (script: string) => boolean

/** A part of sed's `s`: in brackets a delimiter may be a letter or the end, so that none stands there. */
const sedText = (delimiter: string): string => {
  const d = `\\${delimiter}`
  const escape = `\\\\[^\\n]`
  return `(?:[^${d}\\\\\\n[]|${escape}|\\[\\^?\\]?(?:[^\\]${d}\\\\\\n]|\\\\[^${d}\\]\\n])*\\])*`
}
const sedPlain = (delimiter: string): string => `(?:[^\\${delimiter}\\\\\\n]|\\\\[^])*`
const sedAddress = `(?:\\d+|\\$|/${sedText("/")}/)`
const sedCommand = [
  `(?:[pdPDgGhHxnN=z]|[lqQ]\\d*)`,
  ...["/", "|", "#", ",", ":", "@", "!", "_", "%", "~"].map(
    (one) => `s\\${one}${sedText(one)}\\${one}${sedPlain(one)}\\${one}[gip\\d]*`
  )
].join("|")
const sedLine = `(?:${sedAddress}(?:,(?:\\+?${sedAddress}|\\+\\d+))?)?\\s*!?\\s*(?:${sedCommand})?`
const sedGroup = `(?:${sedAddress}(?:,(?:${sedAddress}|\\+\\d+))?)?\\s*!?\\{\\s*${sedLine}(?:\\s*[;\\n]\\s*${sedLine})*\\s*;?\\s*\\}`
const plainSed = new RegExp(`^\\s*(?:${sedGroup}|${sedLine})(?:\\s*[;\\n]\\s*(?:${sedGroup}|${sedLine}))*\\s*$`)
export const isPlainSed = (script: string): boolean => script.length <= 2_000 && plainSed.test(script)

/**
 * Whether a program of awk is plain. `>` compares if nothing is printed before it, lines that go on included. Only
 * certain texts are taken out: what looks like a text may begin inside another one, or in a pattern.
 */
export const isPlainAwk = (program: string): boolean => {
  const line = program.replace(/([,\\?:]|&&|\|\|)(?:[ \t\r]*(?:#[^\n]*)?\n)+/g, "$1 ")
  const text = line.replace(/"[\w ,.:=%-]*"/g, " 0 ")
  return (
    !/system|getline|close|fflush|@|ARG[VCI]|ENVIRON|PROCINFO|(?<!\|)\|(?!\|)|>>/.test(text) &&
    !/\bprintf?\b(?:[^;}\n"/>]*["/][^]*|[^;}\n"/>]*)>/.test(text)
  )
}

/** What throws away tables, or all of their rows. */
const emptying = /\b(?:drop|truncate)\b|(?:\bdelete|(?<!\b(?:on|do|for)\s+)\bupdate)\b(?![^;]*\bwhere\b)/i
/** What has the server load or run another program: its settings, libraries and languages. */
const loading =
  /\balter\b[^;]*\bsystem\b|(?:^|;)\s*load\b|\blanguage\b\W*(?!plpgsql\b|sql\b)\w|\bpl(?:python|perl|tcl|java|sh|r|v8)\w*/i
/**
 * Statements of SQL that read or write no other file and empty no table, and the commands of the programs' own that only
 * show.
 */
export const isPlainSql: Plain = (text) =>
  !emptying.test(text) &&
  !loading.test(text) &&
  text
    .split("\n")
    .every((line) =>
      /^\s*[.\\]/.test(line)
        ? /^\s*(?:\.(?:tables?|schema|headers?|mode|ind(?:exes|ices)|databases|width|quit|exit|timer|nullvalue|separator)\b|\\(?:d[\w+]*|l|timing|x|q|conninfo)\b)[\w ."%,-]*$/.test(
            line
          )
        : !line.includes("\\") &&
          !/\b(?:readfile|writefile|edit|load_extension|fts3_tokenizer|attach|vacuum|program|copy|pg_\w*file\w*|lo_\w+|dblink\w*|zipfile|sqlar\w*)\b/i.test(
            line
          )
    )
