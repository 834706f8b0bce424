import { isSure, type ShellWord, type Words } from "../ShellWords.ts"
import { litterIn } from "../findWords.ts"
import { harmless } from "./shellPrograms.ts"
import { allLike, type Given, matching, forEachName, noList, type Program } from "./Program.ts"

/** It reads so many files, and would write to one more. */
const most =
  (count: number) =>
  ({ operands }: Given) =>
    operands.length <= count && operands.every(isSure) ? [] : null

/** A program that reads no other file than those it is given. */
const noImport = ({ operands }: Given) =>
  operands.some(({ text }) => /\b(?:import|include|load\w*|eval|system)\b/.test(text)) ? null : []

/** The words that it changes because of an option. */
const optionally = (words: Words) => words.map((word) => ({ effect: "remove", word, optional: true }) as const)

/** Programs that read: what they are given, the file system, the machine. */
export const readers: Readonly<Record<string, Program>> = {
  ...forEachName(harmless, { options: "*" }),
  strings: { options: "*", does: noList },
  bc: { options: "-lqswi mathlib standard warn" },
  sort: {
    options:
      "-bdfghinrRsuzVMcCm -ktS: -o:write unique numeric-sort human-numeric-sort version-sort ignore-* stable key: field-separator: output:write check? merge zero-terminated parallel: random-sort dictionary-order sort:"
  },
  find: {
    single: true,
    options:
      "-i*: -name: -path: -wholename: -regex*: -lname: -type: -xtype: -size: -empty -newer*: -am*: -at*: -ane*: -c*: -used: -daystart -m*: -mtime: -mmin: -depth -d -prune -print -print0 -printf: -ls -quit -not -o -or -a -and -true -false -perm: -user: -group: -uid: -gid: -no* -links: -samefile: -fstype: -mount -xdev -x -follow -L -H -P -E -X -readable -writable -executable -ignore_readdir_race -O* -D: -delete",
    forms: { perm: /^[-/]?[\w+=,]*$/ },
    does: (given) => {
      // only the tests before `-delete` narrow it, but `-follow` counts wherever it stands
      const deleted = given.words.flatMap(({ text }, i) =>
        text !== "-delete" ? [] : given.has("follow") ? [null] : [litterIn(given.words.slice(0, i))]
      )
      return noList(given) === null || deleted.includes(null)
        ? null
        : optionally(deleted.flatMap((found) => found ?? []))
    }
  },
  fd: {
    options: `-HIaLl0gFispuq1 -etdESTcjo: ${matching} glob regex absolute-path list-details print0 min-depth: exact-depth: prune extension: size: changed-*: owner: and: strip-cwd-prefix? one-file-system`
  },
  rg: {
    options: `-nNiwxvlcosSFPUuLaHIhp0q -efgtTABCmMrjEd: ${matching} count-matches pcre2 multiline* binary with-filename pretty null-data trim vimgrep stats sort: sortr: colo*: regexp: file: glob: iglob: glob-case-insensitive type-*: type-list context-separator: replace: encoding: engine: ignore-file: one-file-system passthru crlf mmap byte-offset debug`
  },
  ag: {
    options: `-ilLcovwQSsauUt0rn -ABC? -GmgpW: ${matching} literal all-* no* group filename numbers depth: ignore*: after? before? context? file-search-regex: vimgrep stats js ts python go`
  },
  diff: {
    options:
      "-urqNabBwiyspTtdEZen -c? -CUxXIFWLS: unified? context? brief recursive new-file text ignore-* ignore-matching-lines: side-by-side suppress-common-lines left-column width: exclude: exclude-from: strip-trailing-cr report-identical-files minimal label: show-c-function normal expand-tabs"
  },
  date: {
    options: "-uRj -I? -drfv: utc universal iso-8601? rfc-3339: rfc-email date: reference: file: debug",
    form: /^\+/
  },
  tree: {
    options:
      "-adlfixpshugDFqNQrtcUnCSAJXv -LPIT: du si prune filelimit: gitignore gitfile: noreport dirsfirst filesfirst charset: sort? matchdirs timefmt: fromfile"
  },
  pushd: {},
  netstat: { options: "-tulnpaeosrigcvWwx46 tcp udp listening numeric programs route" },
  // its programs read and compute
  jq: {
    does: noImport,
    options:
      "-rcnseSRjaMChV arg: argjson: slurpfile: rawfile: args jsonargs raw-output* compact-output null-input slurp exit-status sort-keys raw-input join-output tab indent:"
  },
  yq: {
    does: (given) =>
      noImport(given) &&
      (!given.has("i", "inplace") || ["-i", "--inplace"].some((one) => given.named.has(one))
        ? []
        : given.operands.length < 2
          ? null
          : optionally(given.operands.slice(1))),
    options:
      "-rcneyPCMNjVi inplace -opI: raw-output compact-output null-input exit-status prettyPrint colors output-format: input-format: indent: unwrapScalar?"
  },
  // to some of these programs every word after a file is a file
  xxd: { options: "-pubeiaEd -gclos:", first: true, does: most(1) },
  uniq: {
    options:
      "-cduiz -D? -fsw: repeated unique all-repeated? group? skip-fields: skip-chars: check-chars: zero-terminated",
    first: true,
    does: most(1)
  },
  base64: { options: "-dDi -wb: decode wrap: ignore-garbage" },
  file: {
    options: "-biILhkrsN0pP -efFm: brief mime* dereference keep-going raw print0 separator: files-from: extension"
  },
  lsof: { options: "-nPtalUNwbRCOVhX -pucgds: -iFTSrL?" },
  ss: {
    options: "-tulnpaoemisxwrHO460bZTS -fA: tcp udp listening numeric processes summary resolve ipv4 ipv6 family:"
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
    // after a number, or after the `$` at a text's end, more options may follow in the same word
    does: ({ operands, options }) =>
      operands.every(({ sure, text }) => sure > 0 && !text.startsWith("+")) &&
      [...options].every(([name, values]) => allLike(values, name === "P" ? /^[^$]*$/ : /^[\d,.]*$/))
        ? []
        : null
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
