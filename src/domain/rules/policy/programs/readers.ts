import { isSure, type ShellWord } from "../ShellWords.ts"
import { allLike, type Given, named, noList, type Program } from "./Program.ts"

const any: Program = { options: "*" }
/** Programs of which no version has an option or operand that runs or writes something. */
const anyOf = (names: string): Readonly<Record<string, Program>> => named(names, any)

/** It reads so many files, and would write to one more. */
const most =
  (count: number) =>
  ({ operands }: Given) =>
    operands.length <= count && operands.every(isSure) ? [] : null

/** A program that reads no other file than those it is given. */
const noImport = ({ operands }: Given) =>
  operands.some(({ text }) => /\b(?:import|include|load\w*)\b/.test(text)) ? null : []

/** find's words without the commands of `-exec`, which are looked at by themselves. */
export const withoutExec = (args: ReadonlyArray<ShellWord>): ReadonlyArray<ShellWord> => {
  let isInside = false
  return args.filter(({ text }) => {
    const begins = /^-(?:exec|execdir|ok|okdir)$/.test(text)
    const was = isInside
    isInside = begins || (isInside && text !== ";" && text !== "+")
    return !begins && !was
  })
}

/** Programs that read: what they are given, the file system, the machine. */
export const readers: Readonly<Record<string, Program>> = {
  ...anyOf(
    "ls cat head tail wc nl tac rev stat du df cut tr paste comm fold expand cmp od hexdump md5sum sha1sum sha256sum"
  ),
  ...anyOf(
    "join sha512sum cksum basename dirname realpath readlink which echo printf seq expr true false : test [ sleep pwd uname whoami"
  ),
  ...anyOf("id uptime free nproc ps pgrep tput locale getconf printenv column grep egrep fgrep"),
  strings: { options: "*", does: noList },
  bc: { options: "-lqswi mathlib standard warn interactive" },
  sort: {
    options:
      "-bdfghinrRsuzVMcCm -ktS: -o:write unique reverse numeric-sort human-numeric-sort version-sort ignore-case stable key: field-separator: output:write check? merge zero-terminated parallel: random-sort general-numeric-sort month-sort dictionary-order ignore-leading-blanks sort:"
  },
  find: {
    single: true,
    options:
      "-name: -iname: -path: -ipath: -wholename: -iwholename: -regex: -iregex: -lname: -ilname: -regextype: -type: -xtype: -size: -empty -newer: -anewer: -cnewer: -newermt: -newerct: -newerat: -newermm: -newerBt: -mtime: -mmin: -atime: -amin: -ctime: -cmin: -used: -daystart -maxdepth: -mindepth: -depth -d -prune -print -print0 -printf: -ls -quit -not -o -or -a -and -true -false -perm: -user: -group: -uid: -gid: -nouser -nogroup -links: -inum: -samefile: -fstype: -mount -xdev -x -follow -L -H -P -E -X -readable -writable -executable -noleaf -ignore_readdir_race -noignore_readdir_race -O0 -O1 -O2 -O3 -D:",
    does: noList
  },
  fd: {
    options:
      "-HIaLl0gFispuq1 -etdESTcjo: hidden unrestricted case-sensitive ignore-case glob regex fixed-strings absolute-path list-details follow full-path print0 max-depth: min-depth: exact-depth: prune type: extension: size: changed-within: changed-before: owner: exclude: max-results: color: threads: and: strip-cwd-prefix? one-file-system"
  },
  rg: {
    options:
      "-nNiwxvlcosSFPUuLaHIhp0q -efgtTABCmMrjEd: files files-with-matches files-without-match count count-matches line-number ignore-case smart-case case-sensitive word-regexp line-regexp invert-match only-matching fixed-strings pcre2 multiline multiline-dotall unrestricted follow text binary with-filename heading pretty null null-data hidden column trim vimgrep json stats sort: sortr: color: colors: regexp: file: glob: iglob: glob-case-insensitive type: type-not: type-list type-add: after-context: before-context: context: context-separator: max-count: max-columns: max-columns-preview max-depth: max-filesize: replace: threads: encoding: engine: ignore-file: one-file-system passthru crlf line-buffered block-buffered mmap byte-offset debug"
  },
  ag: {
    options:
      "-ilLcovwQSsauUt0rn -ABC? -GmgpW: ignore-case smart-case case-sensitive files-with-matches files-without-matches count only-matching invert-match word-regexp literal all-text all-types unrestricted hidden nocolor color nogroup group noheading heading nofilename filename numbers nonumbers column nobreak break depth: ignore: ignore-dir: max-count: after? before? context? file-search-regex: vimgrep stats null js ts python go rust ruby java json html css md markdown yaml"
  },
  diff: {
    options:
      "-urqNabBwiyspTtdEZen -c? -CUxXIFWLS: unified? context? brief recursive new-file unidirectional-new-file text ignore-all-space ignore-space-change ignore-blank-lines ignore-case ignore-trailing-space ignore-tab-expansion ignore-matching-lines: side-by-side suppress-common-lines left-column width: color? exclude: exclude-from: starting-file: strip-trailing-cr report-identical-files minimal label: show-c-function show-function-line: speed-large-files to-file: normal ed rcs expand-tabs initial-tab"
  },
  date: {
    options: "-uRj -I? -drfv: utc universal iso-8601? rfc-3339: rfc-email date: reference: file: debug",
    does: ({ operands }) => (allLike(operands, /^\+/) ? [] : null)
  },
  tree: {
    options:
      "-adlfixpshugDFqNQrtcUnCSAJXv -LPIT: du si prune filelimit: gitignore gitfile: infofile: info noreport dirsfirst filesfirst charset: sort? inodes device matchdirs ignore-case timefmt: fromfile metafirst"
  },
  // its programs read and compute
  jq: {
    does: noImport,
    options:
      "-rcnseSRjaMChV arg: argjson: slurpfile: rawfile: args jsonargs raw-output raw-output0 compact-output null-input slurp exit-status sort-keys raw-input join-output ascii-output monochrome-output color-output tab indent: unbuffered seq stream stream-errors"
  },
  yq: {
    does: noImport,
    options:
      "-rcneyPCMNjV -opI: raw-output compact-output null-input exit-status yaml-output prettyPrint colors tojson output-format: input-format: indent: unwrapScalar?"
  },
  xxd: { options: "-pubeiaEd -gclos:", does: most(1) },
  uniq: {
    options:
      "-cduiz -D? -fsw: count repeated unique ignore-case all-repeated? group? skip-fields: skip-chars: check-chars: zero-terminated",
    does: most(1)
  },
  base64: { options: "-dDi -wb: decode wrap: ignore-garbage" },
  file: {
    options:
      "-biILhkrsN0pP -efFm: brief mime mime-type mime-encoding dereference keep-going raw special-files print0 preserve-date separator: files-from: exclude: magic-file: parameter: extension apple"
  },
  lsof: { options: "-nPtalUNwbRCOVhX -pucgds: -iFTSrL?" },
  ss: {
    options:
      "-tulnpaoemisxwrHO460bZTS -fA: tcp udp listening numeric processes all summary options extended memory info oneline resolve ipv4 ipv6 unix raw sctp family: query: socket:"
  },
  split: {
    options:
      "-dex -lbnaCt: lines: bytes: number: suffix-length: numeric-suffixes? line-bytes: additional-suffix: elide-empty-files",
    does: ({ operands }) => [{ effect: "fill", word: inDirectory(operands[1]) }]
  },
  man: {
    options: "-kfwaK -sS: apropos whatis where path all",
    does: (given) => (given.operands.every(isSure) ? [] : null)
  },
  less: {
    options: "-SRNFXiIMmnqrsEeGKQ -xPbjhyz: RAW-CONTROL-CHARS quit-if-one-screen chop-long-lines LINE-NUMBERS",
    does: ({ operands }) => (operands.some(({ sure, text }) => sure === 0 || text.startsWith("+")) ? null : [])
  }
}

/** The directory of a name that more is added to. */
const inDirectory = (word: ShellWord | undefined): ShellWord => {
  const text = /^(.*\/)[^/]*$/s.exec(word?.text ?? "")?.[1] ?? "."
  return {
    text,
    sure: word === undefined || isSure(word) ? text.length : Math.min(word.sure, text.length),
    globs: false,
    bare: true
  }
}
