import { isSure, type ShellWord } from "../ShellWords.ts"
import { harmless } from "./shellPrograms.ts"
import { allLike, type Given, named, noList, type Program } from "./Program.ts"

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
  ...named(harmless, { options: "*" }),
  strings: { options: "*", does: noList },
  bc: { options: "-lqswi mathlib standard warn" },
  sort: {
    options:
      "-bdfghinrRsuzVMcCm -ktS: -o:write unique numeric-sort human-numeric-sort version-sort ignore-* stable key: field-separator: output:write check? merge zero-terminated parallel: random-sort general-numeric-sort month-sort dictionary-order sort:"
  },
  find: {
    single: true,
    options:
      "-i*: -name: -path: -wholename: -regex*: -lname: -type: -xtype: -size: -empty -newer*: -am*: -at*: -ane*: -c*: -used: -daystart -m*: -depth -d -prune -print -print0 -printf: -ls -quit -not -o -or -a -and -true -false -perm: -user: -group: -uid: -gid: -no* -links: -samefile: -fstype: -mount -xdev -x -follow -L -H -P -E -X -readable -writable -executable -ignore_readdir_race -O* -D:",
    does: noList
  },
  fd: {
    options:
      "-HIaLl0gFispuq1 -etdESTcjo: hidden unrestricted case-sensitive glob regex fixed-strings absolute-path list-details follow full-path print0 max-depth: min-depth: exact-depth: prune type: extension: size: changed-within: changed-before: owner: exclude: max-results: color: threads: and: strip-cwd-prefix? one-file-system"
  },
  rg: {
    options:
      "-nNiwxvlcosSFPUuLaHIhp0q -efgtTABCmMrjEd: files* count* line-* smart-case case-sensitive word-regexp invert-match only-matching fixed-strings pcre2 multiline* unrestricted follow text binary with-filename heading pretty null* hidden column trim vimgrep stats sort*: color*: regexp: file: glob: iglob: glob-case-insensitive type*: type-list after-context: before-context: context*: max-*: replace: threads: encoding: engine: ignore-file: one-file-system passthru crlf block-buffered mmap byte-offset debug"
  },
  ag: {
    options:
      "-ilLcovwQSsauUt0rn -ABC? -GmgpW: smart-case case-sensitive files-* only-matching invert-match word-regexp literal all-text all-types unrestricted hidden no* group heading filename numbers column break depth: ignore*: max-count: after? before? context? file-search-regex: vimgrep stats null js ts python go"
  },
  diff: {
    options:
      "-urqNabBwiyspTtdEZen -c? -CUxXIFWLS: unified? context? brief recursive new-file unidirectional-new-file text ignore-* ignore-matching-lines: side-by-side suppress-common-lines left-column width: exclude: exclude-from: starting-file: strip-trailing-cr report-identical-files minimal label: show-c-function show-function-line: speed-large-files to-file: normal ed rcs expand-tabs initial-tab"
  },
  date: {
    options: "-uRj -I? -drfv: utc universal iso-8601? rfc-3339: rfc-email date: reference: file: debug",
    does: ({ operands }) => (allLike(operands, /^\+/) ? [] : null)
  },
  tree: {
    options:
      "-adlfixpshugDFqNQrtcUnCSAJXv -LPIT: du si prune filelimit: gitignore gitfile: infofile: info noreport dirsfirst filesfirst charset: sort? inodes device matchdirs timefmt: fromfile metafirst"
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
      "-cduiz -D? -fsw: repeated unique all-repeated? group? skip-fields: skip-chars: check-chars: zero-terminated",
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
      "-tulnpaoemisxwrHO460bZTS -fA: tcp udp listening numeric processes summary options extended memory info oneline resolve ipv4 ipv6 unix raw sctp family: query: socket:"
  },
  split: {
    options:
      "-dex -lbnaCt: lines: bytes: number: suffix-length: numeric-suffixes? line-bytes: additional-suffix: elide-empty-files",
    does: ({ operands }) => [{ effect: "fill", word: inDirectory(operands[1]) }]
  },
  man: {
    options: "-kfwaK -sS: apropos whatis where path",
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
