import { isSure } from "../ShellWords.ts"
import { allLike, type Given, isPlainly, forEachName, type Program, working, works } from "./Program.ts"

/** Programs that build, test and fetch packages: what the project's own scripts do is the project's. */

const command = (options: string, does: Program["does"] = works): Program => ({ options, does })
/** A script, or what the project has installed. */
const handing: Program["does"] = ({ as, operands }) => as(operands)
/** Its own scripts, with whatever they are given. */
const script = (options: string): Program => ({ options, first: true, does: handing })

/** A script's name, as most projects have them; anything else may be a program, or a command that reaches out. */
export const scriptName =
  /^(?:build|compile|bundle|dev|serve|preview|start|tests?|e2e|unit|lint|format|fmt|fix|checks?|type-?check|types|tsc|clean|coverage|docs|storybook|generate|gen|codegen|bench|prettier|eslint|biome|oxlint|vitest|jest|playwright|cypress|tsx|turbo|nx|next|vite|astro|prisma|drizzle-kit|validate|verify|watch|db|cs|stan|phpstan|analy[sz]e|run|run-script|ci|pint|rector|psalm)(?:[:-](?!publish|deploy|release)[\w:.-]+)?$/

const managing = "if-present ignore-scripts prefer-offline save-* force production depth: parseable -C:at"
const npmOptions = `-w: -sSDEOfldqvha ${managing} workspace: workspaces include-workspace-root loglevel: save legacy-peer-deps strict-peer-deps omit: include: package-lock-only audit? fund? prefix:at`
const npmFetching = command(npmOptions, installing)
/** A package by its name. */
const npmShowing: Program = {
  options: npmOptions,
  does: (given) => installing(given) && []
}
// it takes its own options behind a script's name, too
const npmScript = command(npmOptions, handing)
const npm: Program = {
  options: npmOptions,
  commands: {
    ...forEachName("test t tst start stop restart run run-script rum urn exec x", npmScript),
    ...forEachName(
      "ci install i in ins inst add install-test it uninstall un rm r remove update up upgrade dedupe ddp rebuild rb prune audit",
      npmFetching
    ),
    ...forEachName(
      "ls list ll la outdated view info show v why explain root prefix bin search query help fund ping pack",
      npmShowing
    )
  }
}

/**
 * What is fetched is named by its name, or stands in the project (`./a/b`): from elsewhere it could be anybody's, and `a/b`
 * is a project on a forge.
 */
export function installing(given: Given) {
  return given.operands.every(
    (word) =>
      isSure(word) &&
      !/(?:^|@\s*)(?:https?|git\w*|ssh|file|gist|bitbucket)(?:\b.*:|\+)|^(?:[^@/]+@)?\w[\w.-]*\//i.test(word.text)
  )
    ? works(given)
    : null
}

const workspace = `-wrsDEPOfqvh -F: ${managing} filter*: workspace-root recursive parallel stream aggregate-output reporter: frozen-lockfile immutable dev exact prod lockfile-only workspace-concurrency: bail sort dir:at cwd:at latest`
const fetching = command(workspace, installing)
const ownScript = script(workspace)
const tool: Program = { options: "-yq yes no", first: true, does: handing }
/** All of it runs what the place configures: a plugin, a hook, its own version. */
const workspaces: Program = {
  options: workspace,
  commands: {
    ...forEachName("run run-script", ownScript),
    ...forEachName("test t start stop restart", { options: "*", does: handing }),
    exec: tool,
    dlx: { options: "-h help", does: ({ operands: [one] }) => (one === undefined ? [] : null) },
    ...forEachName(
      "install i ci add remove rm uninstall un update up upgrade dedupe prune rebuild audit fetch",
      fetching
    ),
    workspace: {
      first: true,
      does: ({ as, operands: [, verb, ...rest] }) =>
        verb?.text === "run" ? as(rest) : verb !== undefined && allLike([verb], scriptName) ? as([verb, ...rest]) : null
    },
    ...forEachName("ls list ll la outdated view info show why root bin licenses help", fetching),
    workspaces: command(`${workspace} since?`, (given) =>
      allLike(given.operands.slice(0, 1), /^(?:list|info)$/) ||
      allLike(given.operands.slice(0, 2), /^(?:foreach|run|test)$/)
        ? works(given)
        : null
    )
  },
  scripts: [scriptName, { options: "*", does: handing }]
}

const cargoOptions =
  "-qvr -pFj: color: locked frozen package: workspace exclude: all-* features: release profile: target: target-dir:at lib bins bin: examples example: tests test: benches bench: jobs: keep-going message-format: doc fix allow-* timings?"
const cargo: Program = {
  options: "-qvV color: locked frozen",
  commands: {
    ...forEachName("build b check c test t bench doc d expand", command(cargoOptions)),
    // behind them are the compiler's options
    clippy: { ...command(cargoOptions), form: /^-[ADFW]$|^(?:-[ADFW])?[\w:]+(?:-\w+)*$/ },
    ...forEachName("run r", command(cargoOptions)),
    nextest: { commands: forEachName("run list r", command(`${cargoOptions} -E: filter-expr: retries: nocapture`)) },
    fmt: { options: "-qvp: check package: message-format: edition:", first: true, does: works },
    ...forEachName("insta machete deny outdated audit llvm-cov", {
      options: `${cargoOptions} accept review html open lcov output-path:write root-deps-only -R -d depth: test-runner:`,
      form: /^(?:test|review|accept|reject|check|report|show-env|bans|licenses)$/,
      does: works
    }),
    tree: command(`${cargoOptions} -ief: -d invert? edges: depth: prefix: duplicates charset: format:`),
    metadata: command("-q format-version: locked features: all-features"),
    ...forEachName(
      "add remove rm update fetch generate-lockfile clean",
      command(`${cargoOptions} -D dev build optional rename: precise: aggressive recursive`, installing)
    )
  }
}

const goBuild =
  "-v -x -n -a -race -msan -asan -work -trimpath -p: -tags: -mod: -ldflags: -gcflags: -asmflags: -build*: -cover -cover*: -pgo: -json -o:write"
const goTest =
  "-run: -skip: -bench*: -benchmem -count: -short -timeout: -failfast -parallel: -cpu: -shuffle: -list: -fuzz*: -vet: -fullpath -coverprofile:write -cpuprofile:write -memprofile:write -blockprofile:write -mutexprofile:write -trace:write -outputdir:stay -args"
/** Flags for the linker and the compiler that name no other one. */
const goFlags = {
  ldflags: /^(?:-[sw]|-X[ =]'?[\w./=-]+'?|\s)*$/,
  "gcflags asmflags": /^(?:[\w./]+=)?(?:-[NlmSB]|\s)*$/,
  mod: /^(?:mod|vendor|readonly)$/
}
/** go's own options that name another program or place, behind a package, where those of the tests stand, too. */
const late = /^--?(?:C|exec|toolexec|compiler|\w+flags|modfile|overlay|pkgdir|vet\w*)(?:=|$)/
const go = (options: string, first = false, form = /^/): Program => ({
  single: true,
  first,
  options,
  forms: goFlags,
  does: (given) =>
    allLike(given.operands.slice(0, 1), form) &&
    !(options.endsWith("-args") && given.operands.some(({ text }) => late.test(text)))
      ? works(given)
      : null
})
const goShowing: Program = {
  single: true,
  options: "-m -f: -e -deps -test -find -u -versions -retracted -json? -tags: -mod: -v -race -h",
  forms: { mod: /^(?:vendor|readonly)$/ }
}

const pipOptions =
  "-UqvIlh -recf: upgrade upgrade-strategy: requirement: editable: constraint: user pre not-required format: break-system-packages prefer-binary only-binary: no-binary: disable-* local exclude: files require-virtualenv progress-bar: force-reinstall ignore-installed"
const pip: Program = {
  options: pipOptions,
  commands: {
    // of these, `-e` and `-f` have no value
    ...forEachName("list show freeze check help", {
      options: "-qvIlhef user pre not-required format: local exclude: files editable disable-*"
    }),
    // of an address it could be anybody's
    install: command(pipOptions, (given) => (isPlainly(given) ? installing(given) : null))
  }
}

/** Options of `bun`. Behind `run`, or without a verb, stands a script or a file of the project's. */
const bunOptions = `${workspace} watch hot bail? coverage timeout: -t: test-name-pattern: rerun-each: outdir:at outfile:write target: minify sourcemap? format: splitting external:`

export const packages: Readonly<Record<string, Program>> = {
  npm,
  pnpm: workspaces,
  yarn: workspaces,
  npx: tool,
  bun: {
    options: bunOptions,
    commands: {
      ...forEachName("run test", script(bunOptions)),
      build: command(bunOptions),
      ...forEachName("install i add remove rm update outdated", command(bunOptions, installing)),
      why: command("", installing),
      pm: {
        commands: forEachName("ls bin cache hash hash-string hash-print view untrusted default-trusted", command("-a"))
      }
    },
    scripts: [/^(?:\.\/)?[\w@-][\w./@-]*\.[cm]?[jt]sx?$/, ownScript]
  },
  cargo,
  go: {
    single: true,
    options: "-v",
    commands: {
      ...forEachName("build install vet generate", go(goBuild)),
      test: go(`${goBuild} ${goTest}`, true),
      // with a version it is a package of anybody's, fetched
      run: go(goBuild, true, /^[^@]+$/),
      fmt: go("-n -x -mod:"),
      ...forEachName(
        "mod get work",
        go(
          "-v -x -u -t -d -e -go: -json -compat: -diff -vendor -m -require: -replace: -exclude: -dropreplace: -droprequire: -fmt -print -toolchain:"
        )
      ),
      clean: go("-cache -testcache -fuzzcache -n -x -i -r"),
      doc: { single: true, options: "-all -short -u -src -c -cmd" },
      list: goShowing,
      ...forEachName("version help", { single: true, options: "-m -v -json" }),
      env: { single: true, options: "-json -changed" },
      tool: {
        single: true,
        options: "",
        commands: {
          cover: go("-html: -func: -mode: -var: -o:write"),
          pprof: {
            single: true,
            options: "-top -text -list: -peek: -nodecount: -cum -flat -sample_index: -lines -functions"
          }
        }
      }
    }
  },
  pip,
  helm: {
    options: "-n: namespace: kube-context: debug",
    commands: forEachName(
      "lint template list ls status get history version show search dependency env",
      command(
        "-fnsao: -gqA values: set*: namespace: release-name version: include-crds show-only: debug kube-version: api-versions: is-upgrade skip-* validate with-subcharts generate-name dry-run? output: all-namespaces max: filter:",
        working()
      )
    )
  }
}
