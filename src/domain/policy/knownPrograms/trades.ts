import { isSure, plainWord } from "../ShellWords.ts"
import { forEachName, noAddress, noList, type Program, targets, works } from "./Program.ts"

/** Programs of trades that have their own: C and embedded, data, the JVM, functional languages. */

/** A compiler's arguments that neither load a plugin nor name another program, its place or a file of more arguments. */
const compiling =
  /^(?:-(?:[cSEvwgx]|g\w{0,4}|O\w?|pthread|shared|static|pedantic|ansi|pipe|W(?![lap],)[\w+-]*(?:=[\w-]+)?|f(?!plugin)[\w-]+|fsanitize=[\w,]+|std=[\w+]+|m(?!llvm)[\w-]+(?:=[\w.+-]+)?|M[MDGP]*|[IDLU][^,]*|l[\w+.-]+|-version)|[^-@][^]*)$/
const compiler: Program = {
  options: "*",
  does: ({ operands }) => {
    if (!operands.every((word) => (isSure(word) ? compiling.test(word.text) || word.text === "-o" : word.globs)))
      return null
    const to = operands.filter((_, i) => operands[i - 1]?.text === "-o")
    return [...targets("stay", [plainWord(".")]), ...targets("write", to)]
  }
}

/** Tests, files and targets of the project; not `a=b`, which may set a program. */
const building = (options: string): Program => ({ options, form: /^[\w./:*@,+-]+$/, does: works })
const common = "-vq -j: jobs:"
const verbs = (names: string, options = common): Program => ({ commands: forEachName(names, building(options)) })

const showing: Program = {
  options:
    "-aCDdfgGhIlnorsStTuwWxXzp demangle? dynamic extern-only numeric-sort size-sort print-size undefined-only defined-only disassemble*? source syms section: headers file-headers section* symbols wide line-numbers format: totals",
  does: noList
}

/** The tool's own options only: those of the JVM can load an agent. */
const jvm = (options: string): Program => ({ single: true, options })

/** One substitution, or the lines with a text: nothing that perl would calculate. */
const plainPerl = /^(?:s\/[\w .^\\-]*\/[\w .-]*\/[gi]*|print if \/[\w .^\\-]*\/i?);?$/

export const trades: Readonly<Record<string, Program>> = {
  ...forEachName("gcc g++ cc c++ clang clang++ arm-none-eabi-gcc arm-none-eabi-g++", compiler),
  ...forEachName("nm objdump readelf size arm-none-eabi-nm arm-none-eabi-objdump arm-none-eabi-size", showing),
  "nvidia-smi": { options: "-Lq -id: query-gpu: query-compute-apps: format: list-gpus id: query display:" },
  ldd: { options: "-vdru", does: works },
  cppcheck: {
    options:
      "-qvf -jI: enable: inline-suppr std: language: error-exitcode: suppress: force max-configs: xml inconclusive"
  },
  "clang-tidy": { options: "-p:stay checks: warnings-as-errors: header-filter: list-checks" },
  zcat: { options: "-fvqL force" },
  zgrep: { options: "*" },
  shuf: {
    options: "-enz -i: echo -o:write output:write head-count: input-range: repeat -r zero-terminated"
  },
  xmllint: {
    does: noAddress,
    options: "noout format recover xpath: well-formed nonet noblanks"
  },
  journalctl: {
    options:
      "-axefrqbk -nuptoSU: unit: lines: since: until: follow output: boot? priority: grep: identifier: user system utc"
  },
  systemctl: {
    commands: forEachName("status is-active is-enabled list-units list-timers cat show", {
      options: "-alq -nop: full lines: output: property: type: state: user failed"
    })
  },
  javap: jvm("-c -v -verbose -l -p -s -public -private -protected -package -constants"),
  jps: jvm("-l -m -v -q"),
  jstack: jvm("-l"),
  meson: {
    commands: {
      ...forEachName("setup configure", building("buildtype: prefix: wipe reconfigure warnlevel: werror")),
      ...forEachName("compile test", building("-vq -C:at -j: suite: print-errorlogs"))
    }
  },
  sbt: {
    commands: forEachName("test compile clean", { does: (given) => (given.operands[0] ? null : works(given)) }),
    scripts: [/^(?:testOnly|testQuick)(?: [\w.*-]+)+$/, { does: (given) => (given.operands[1] ? null : works(given)) }]
  },
  mix: verbs(
    "test compile format deps.get deps",
    `${common} check-formatted cover trace failed stale only: exclude: warnings-as-errors force`
  ),
  dart: verbs(
    "analyze test format fix",
    `${common} set-exit-if-changed fatal-infos fatal-warnings -n: -r: reporter: -o: output:`
  ),
  flutter: {
    commands: {
      ...verbs(
        "test analyze build",
        `${common} debug release profile flavor: coverage update-goldens name: plain-name: reporter:`
      ).commands,
      pub: verbs("get upgrade outdated deps add remove downgrade", `${common} dev major-versions tighten`)
    }
  },
  stack: verbs("build test", `${common} fast pedantic file-watch test bench ta: test-arguments:`),
  cabal: verbs("build test", `${common} enable-tests enable-benchmarks test-show-details: only-dependencies`),
  zig: verbs("build fmt", "check summary: release?"),
  dune: verbs("build test", `${common} profile: watch -w display:`),
  west: verbs("build", "-p? -bd: pristine? board: build-dir:"),
  pio: verbs("run test check", "-ev: environment: -f: filter:"),
  "arduino-cli": verbs("compile", "-b: fqbn: warnings: -v clean"),
  "wasm-pack": verbs(
    "build test",
    "-t: target: -d:fill out-dir:fill dev release profiling scope: out-name: node headless chrome firefox no-typescript"
  ),
  protoc: {
    options:
      "-I: -o:write proto_path: go_out:stay go_opt: go-grpc_out:stay go-grpc_opt: python_out:stay pyi_out:stay js_out:stay ts_out:stay java_out:stay cpp_out:stay csharp_out:stay ruby_out:stay php_out:stay kotlin_out:stay descriptor_set_out:write include_imports",
    does: (given) => (noList(given) === null ? null : works(given))
  },
  mockgen: {
    single: true,
    options: "-source: -destination:write -package: -mock_names: -typed",
    does: (given) => (given.operands[0] === undefined ? works(given) : null)
  },
  rustc: { options: "explain: print: -vV" },
  "ansible-playbook": {
    options:
      "-i: syntax-check list-tasks list-tags list-hosts inventory: -t: tags: skip-tags: -l: -e: extra-vars: check -C",
    does: (given) => (given.has("syntax-check", "list-tasks", "list-tags", "list-hosts") ? works(given) : null)
  },
  // with a dot it may be a host
  kustomize: {
    commands: {
      build: { form: /^[\w/-]+$|^\.$/, does: works }
    }
  },
  bear: { obeys: true, options: "append output:write", first: true },
  "clang-format": {
    single: true,
    options:
      "-i -n -style: -Werror -dry-run -verbose -assume-filename: -fallback-style: -lines: -sort-includes -version",
    does: ({ has, operands }) => (has("i") ? targets("remove", operands) : [])
  },
  valgrind: {
    options: "-qv leak-check: show-*: track-*: error-exitcode: tool: num-callers: log-file:write",
    first: true,
    forms: { tool: /^\w+$/ }
  },
  perl: {
    options: "-pnlw0 -e: -i?",
    forms: { e: plainPerl, i: /^[\w.~]*$/ },
    does: ({ has, operands }) => {
      if (!has("e") || !has("p", "n")) return null
      // perl runs a name that begins or ends with `|` as a command
      if (!operands.every((word) => word.text.length > 0 && /^[^\s|<>+&-][^|<>&]*$/.test(word.text))) return null
      return has("i") ? operands.map((word) => ({ effect: "remove", word, optional: true })) : []
    }
  }
}
