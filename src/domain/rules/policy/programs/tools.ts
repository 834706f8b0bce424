import { plainWord } from "../ShellWords.ts"
import { allLike, named, noList, type Program, targets, tool, works } from "./Program.ts"

/** Test runners, linters, formatters, servers of a project and languages: what they may be told beside what its files say. */

/** What no tool of them takes for more than a name, a number or a place that it reads or writes. */
const family =
  "all append-config: auto? autocorrect autocorrect-all backtrace bail? base: baseline: branch cache? cache-dir: cache-file: cache-location: cache-strategy: check check-only ci? clean clear-cache clearCache clearScreen? colors? color? colour? column: config: config-file: coverage? cov? cov-report: cov-config: cov-fail-under: cov-branch cov-append cov-context: count data-file: database: debug? deny-warnings dev diff dir: disable: disable-warnings display-cop-names dist: doctest-modules dry-run draft durations: durations-min: enable: env: environment: error-on-unmatched-pattern exclude: exitfirst exit-zero expand ext: extend-exclude: extend-ignore: extend-select: factory fail-fast fail-level: fail-on: fail-under: failed-first fast ff files files-with-diff filter: fix fix-dry-run fix-only fix-type: force force-exclude format: forked from: fullyParallel globals? gitignore grep: grep-invert: headed headless? help hookTimeout: host: ignore: ignore-glob: ignore-path: ignore-paths: ignore-pattern: ignore-patterns: ignore-unknown include: inspect-brk interactive isolate? jobs: json junit-xml: junitxml: keep-going keywords: keyword: last-failed lang: level: lf line-length: line-range: list list-different list-files list-tests listTests locals locale: log-file-level: log-cli-level: log-level: loglevel: logger.level: max-complexity: max-failures: max-line-length: max-warnings: max-workers: maxConcurrency: maxWorkers: maxfail: merge message: min-severity: mode: name: new-first nf notebook numprocesses: offline only: only-changed? only-failures open order: out: outDir: output: output-dir: output-file: output-format: outputFile: package: parallel? parallel-mode pass-with-no-tests passWithNoTests per-file-ignores: pattern: pool: port: precision: preload pretty preview print-config: profile? progress project: provider: pyi python-version: quiet randomize random-order-seed: rcfile: recreate recursive? reload reload-dir: repeat-each: report: report-unused-disable-directives reporter: reporters: reruns: retries: retry: root: rootDir: rootdir: rule: run runInBand safe seed: select: session: sessions: settings: severity: shard: show-capture: show-error-codes show-fixes show-files show-missing show-settings show-source shuffle silent? skip: skip-covered skip-empty skip-glob: skip-string-normalization slowmo: sort: source: sourcemap? src: standalone stats statistics stdin stdin-file-path: stdin-filename: stdin-filepath: strict strict-config strict-markers style: suite: summary tag: tags: target: target-version: tb: test testNamePattern: testPathPattern: testPathPatterns: testPathIgnorePatterns: testTimeout: timeout: title: trace? turbo turbopack type-aware ui? unsafe unsafe-fixes update? update-snapshots? update-snapshot updateSnapshot verbosity: warn-ignored warnings watch? watchAll? window width: with-node-modules workers: write"
const tools = (names: string, options: string, not?: RegExp) => named(names, tool(`${family} ${options}`, not))
/** Behind its script, or what it runs, are that one's words. */
const language = (options: string, not = /(?!)/): Program => ({
  options,
  first: true,
  does: (given) =>
    tool("", not).does!({ ...given, operands: given.operands.slice(0, 1) }) === null ? null : works(given)
})
/** Go's, with one dash. */
const single = (options: string): Program => ({ ...tool(options), single: true })

const here = String.raw`=(?!localhost(?:\b|$)|127\.|\[?::1)`
/** Tasks and variables that say what is tested. */
const task =
  /^(?![-/~])(?!\w+=)|^--|^(?:RAILS_ENV|RACK_ENV|STEP|VERSION|VERBOSE|TEST|TESTOPTS|SPEC|SEED|SCOPE|NAME|STEPS)=[\w./:,=* -]*$/
const tasks = (options: string): Program => {
  const one = tool(`${family} ${options}`, new RegExp(`^--(?:b|binding)${here}`))
  return { ...one, does: (given) => (allLike(given.operands, task) ? one.does!(given) : null) }
}

const node: Program = {
  ...language(
    "-ivhc -epr: -C: eval: print: require: import: loader: experimental-loader: test test-only test-name-pattern: test-skip-pattern: test-reporter: test-reporter-destination: test-concurrency: test-timeout: test-shard: test-isolation: test-force-exit test-update-snapshots test-coverage-include: test-coverage-exclude: experimental-test-coverage experimental-test-module-mocks experimental-strip-types experimental-transform-types experimental-vm-modules experimental-sqlite experimental-json-modules experimental-require-module experimental-specifier-resolution: experimental-wasm-modules watch watch-path: watch-preserve-output max-old-space-size: max_old_space_size: stack-size: stack-trace-limit: enable-source-maps env-file: env-file-if-exists: conditions: input-type: trace-warnings trace-deprecation trace-uncaught trace-gc expose-gc unhandled-rejections: throw-deprecation pending-deprecation preserve-symlinks cpu-prof cpu-prof-dir: heap-prof inspect inspect-brk check strip-types run: tsconfig: help"
  )
}
const again: Program = {
  ...node,
  does: ({ operands: [verb, ...rest], ...given }) =>
    verb?.text === "watch"
      ? given.as([plainWord("node"), ...rest])
      : node.does!({ ...given, operands: verb === undefined ? [] : [verb, ...rest] })
}

/** Modules of the language's own that serve, unpack, show to others, or run what stands in the line. */
const serving =
  /^(?:http\.server|xmlrpc|pydoc|zipfile|tarfile|zipapp|webbrowser|timeit|trace|pdb|runpy|code|ensurepip|idlelib|smtpd|asyncio)\b/
const python: Program = {
  options: "-uBqvOIsSEbdixPVh -W: -X: -c:end -m:end",
  first: true,
  does: (given) => {
    const [module] = given.options.get("m") ?? []
    if (!allLike(given.options.get("X") ?? [], /^[a-z_]+$/)) return null
    if (module === undefined) return works(given)
    if (serving.test(module.text)) return /^--?h/.test(given.operands[0]?.text ?? "") ? [] : null
    return given.as([module, ...given.operands])
  }
}
const runningOther: Program = {
  options:
    "-aqLps: -m:end branch append parallel-mode source: include: omit: rcfile: context: concurrency: data-file:write -o:write timid",
  first: true,
  does: (given) => {
    const [module] = given.options.get("m") ?? []
    return module === undefined ? works(given) : given.as([module, ...given.operands])
  }
}

const prisma =
  "schema: name: create-only skip-generate skip-seed generator: force accept-data-loss exit-code script from-empty to-empty from-schema-datamodel: to-schema-datamodel: from-migrations: to-migrations: applied: rolled-back: browser: port: sql"

export const projectTools: Readonly<Record<string, Program>> = {
  ...tools(
    "pytest py.test",
    "-qvxslh -kmnrWpco: co collect-only cache-show? cache-clear stepwise sw stepwise-skip pdb fixtures markers capture: basetemp: import-mode: override-ini: deselect: confcutdir: runxfail showlocals full-trace setup-show setup-plan snapshot-details benchmark-only benchmark-skip benchmark-disable benchmark-autosave benchmark-compare? benchmark-sort: asyncio-mode: ds: create-db reuse-db nomigrations keepdb browser: hypothesis-seed: hypothesis-show-statistics html: self-contained-html json-report json-report-file: only-rerun: reruns-delay: timeout-method: maxprocesses: testmon pyargs random-order doctest-glob:",
    /^--p=(?!no:)|^--(?:o|override-ini)=(?!(?:log_cli\w*|junit_family|xfail_strict|python_\w+|console_output_style)=[\w.* ]*$)/
  ),
  ...tools("unittest", "-vqbfc -skpt: failfast buffer catch start-directory: top-level-directory:"),
  ...tools(
    "jest",
    "-uibofh -tcw: coverageReporters: coverageDirectory: coverageProvider: collectCoverage? collectCoverageFrom: testMatch: testRegex: verbose? findRelatedTests onlyChanged onlyFailures changedSince: lastCommit detectOpenHandles forceExit selectProjects ignoreProjects: logHeapUsage errorOnDeprecated showSeed showConfig testEnvironment: roots: resetMocks clearMocks restoreMocks noStackTrace cacheDirectory: openHandlesTimeout: injectGlobals? workerThreads"
  ),
  ...tools(
    "vitest",
    "-uwh -trc: coverage.enabled? coverage.reporter: coverage.provider: coverage.include: coverage.exclude: coverage.all? coverage.reportsDirectory: browser? browser.name: browser.headless? changed? fileParallelism? hideSkippedTests dom teardownTimeout: allowOnly? logHeapUsage typecheck? typecheck.only sequence.shuffle sequence.seed: sequence.concurrent minWorkers: related tagsFilter:",
    /^init$/
  ),
  ...tools(
    "vite next",
    "-p? -mcldfH: strictPort logLevel: outDir: emptyOutDir? minify? cors ssr? manifest? assetsDir: assetsInlineLimit: app hostname: experimental-https keepAliveTimeout:",
    new RegExp(`^--H${here}`)
  ),
  ...tools(
    "eslint oxlint oxfmt biome",
    "-DAWfc: global: output-file: -o: eslintrc report-unused-disable-directives-severity: fix-suggestions fix-dangerously exit-on-fatal-error pass-on-no-patterns suppress-all prune-suppressions env-info concurrency: flag: deny: allow: warn: rules threads: tsconfig: import-plugin react-plugin jsx-a11y-plugin nextjs-plugin jest-plugin vitest-plugin promise-plugin node-plugin staged changed since: linter-enabled: formatter-enabled: indent-style: diagnostic-level: -h -v"
  ),
  ...tools(
    "prettier",
    "-cwluhv parser: single-quote? tab-width: print-width: semi? trailing-comma: use-tabs? prose-wrap: end-of-line: bracket-spacing? bracket-same-line jsx-single-quote arrow-parens: quote-props: config-precedence: find-config-path: file-info: support-info plugin: experimental-ternaries single-attribute-per-line object-wrap: debug-check",
    /^--plugin=(?!(?:@[\w-]+\/)?prettier-plugin-[\w-]+$)/
  ),
  tsc: { options: "*", does: (given) => (noList(given) === null ? null : works(given)) },
  node,
  nodejs: node,
  ...named("tsx ts-node", again),
  ...named("python pypy", python),
  cProfile: runningOther,
  "json.tool": {
    options: "sort-keys json-lines indent: compact no-ensure-ascii",
    does: ({ operands }) => targets("write", operands.slice(1))
  },
  ruby: language("-wWvcnplash -er: -I: -C:at -y"),
  php: language(
    "-lvminqaf -rdSt:",
    new RegExp(
      `^--S${here}|^--d=(?!(?:memory_limit|error_reporting|display_errors|xdebug\\.mode|max_execution_time|zend\\.assertions)=[\\w-]*$)`
    )
  ),
  Rscript: language("-e: default-packages: vanilla no-save no-restore no-init-file verbose version"),
  julia: language(
    "-eEptL: -Oqiv project? threads: color: startup-file: check-bounds: optimize? compile: code-coverage? track-allocation? depwarn: banner: quiet"
  ),
  ...tools(
    "ruff black isort flake8 pylint pyright",
    "-qvhsECSe -fjlLtdWp: -c? -n? workers: watch fixable: unfixable: add-noqa ignore-noqa exit-non-zero-on-fix isolated extension: range: required-version: ipynb filter-files atomic stdout settings-path: only-modified filename: tee benchmark doctests msg-template: ignore-patterns: py-version: good-names: list-msgs score: reports: persistent: lib outputjson warnings pythonversion: pythonplatform: verifytypes: threads? code: line-ranges:"
  ),
  coverage: {
    options: "-h rcfile:",
    commands: {
      run: runningOther,
      ...tools(
        "report html xml json lcov combine erase debug annotate",
        "-imqao: -d: omit: contexts: directory: pretty-print ignore-errors append keep"
      )
    }
  },
  ...tools(
    "alembic django-admin",
    "-cnxmlio: -v? autogenerate head: splice branch-label: rev-id: depends-on: verbose indicate-current rev-range: sql traceback fake fake-initial plan empty noinput indent: keepdb failfast natural-foreign reverse"
  ),
  ...tools(
    "flask uvicorn gunicorn streamlit",
    "-Apewktcnbmh: app: debugger with-threads env-file: reload-include: reload-exclude: access-log proxy-headers root-path: lifespan: timeout-keep-alive: limit-concurrency: app-dir: uds: bind: worker-class: threads: access-logfile: error-logfile: graceful-timeout: keep-alive: max-requests: max-requests-jitter: check-config server.port: server.headless: server.runOnSave: server.address: theme.base: browser.gatherUsageStats: message: directory:",
    new RegExp(`^--[bh]${here}(?!unix:)`)
  ),
  ...tools("mkdocs", "-cqvs -ftd: theme: site-dir: dirty use-directory-urls"),
  ...tools(
    "sphinx-build",
    "-aEnqvQTWP -bDdcAtjw: builder: doctree-dir: conf-dir: define: nitpicky fail-on-warning write-all fresh-env",
    /^--(?:D|define)=(?!(?:language|version|release|html_theme|nitpicky)=[\w.-]*$)|^--b(?:uilder)?=linkcheck/
  ),
  ...tools(
    "jupyter papermill",
    "-prkby: to: execute output-dir: no-input inplace stdout allow-errors clear-output ExecutePreprocessor.timeout: ExecutePreprocessor.kernel_name: embed-images no-prompt kernel: cwd: log-output progress-bar report-mode execution-timeout:",
    /^--to=(?!\w+$)/
  ),
  ...tools(
    "pre-commit nox",
    "-avlrRx -csetpPk: all-files from-ref: to-ref: hook-stage: show-diff-on-failure reuse-existing-virtualenvs stop-on-first-error noxfile: python: install-only"
  ),
  ...tools(
    "dvc",
    "-qvfspmPRca -jr: single-item pipeline downstream cloud all-branches remote: show-json pull allow-missing"
  ),
  ...tools("brakeman", "-qAz -iwxtfop: only-files: skip-files: confidence-level: run-all-checks ignore-config:"),
  ...tools(
    "rubocop",
    "-aAlxLVdDSEPF -focs: auto-correct display-only-fail-level-offenses extra-details auto-gen-config auto-gen-only-exclude exclude-limit: lint list-target-files display-style-guide only-recognized-file-types show-cops?",
    /^--f(?:ormat)?=.*[^\w]/
  ),
  ...tools(
    "rspec",
    "-cbnw -fetoPI: -p? next-failure example: example-matches: bisect? exclude-pattern:",
    /^--f(?:ormat)?=(?![pdhjf]$|(?:progress|documentation|html|json|failures)$)/
  ),
  ...tools(
    "ansible-lint yamllint",
    "-qvpLTs -fxwtcd: skip-list: warn-list: list-rules list-tags nocolor enable-list: sarif-file: project-dir: config-data:"
  ),
  ...tools(
    "hadolint",
    "-ctf: failure-threshold: error: warning: info: no-fail trusted-registry: require-label: strict-labels disable-ignore-pragma"
  ),
  ...tools("markdownlint", "-fqdsjh -cpio: dot"),
  ...tools("vale", "glob: minAlertLevel: ignore-syntax path:", /^sync$/),
  ...tools("promtool", "lint: lint-fatal extended syntax-only agent"),
  ...named("goimports gofmt", single("-l -w -d -e -s -v -r: -local: -srcdir: -format-only")),
  staticcheck: single("-f: -checks: -tests -go: -tags: -fail: -explain: -show-ignored -version -list-checks"),
  "golangci-lint": {
    options: "-vh color:",
    commands: tools(
      "run fmt linters formatters version help cache config completion",
      "-v -cEDnpj: max-same-issues: max-issues-per-linter: new new-from-rev: new-from-merge-base: disable-all enable-all enable-only: out-format: tests build-tags: modules-download-mode: issues-exit-code: print-issued-lines print-linter-name sort-results exclude-use-default skip-dirs: skip-files: concurrency: allow-parallel-runners presets: show-stats whole-files short",
      /^--out-format=[^:]*:/
    )
  },
  ...tools("rustfmt", "-lvq edition: config-path: emit: backup style-edition:"),
  ...tools(
    "shellcheck",
    "-xaV -sefSoiPW: -C? shell: external-sources check-sourced source-path: list-optional wiki-link-count: norc extended-analysis:"
  ),
  jar: { options: "", does: (given) => (allLike(given.operands, /^[^@]/) ? works(given) : null) },
  rake: tasks("-TAPnqsvtmWD? -jf: tasks? prereqs rules multitask"),
  ...named(
    "rails",
    tasks(
      "-TDfhqsuvwd -ebpPncg: -p: binding: unused defer-output skip-routes pretend sandbox tasks? primary-key-type: parent: orm: helper? assets? test-framework: timestamps? migration? expanded controller:"
    )
  ),
  playwright: {
    options: "-V",
    commands: tools(
      "test install show-report show-trace codegen uninstall merge-reports clear-cache",
      "-gjcu: -x global-timeout: forbid-only fully-parallel browser: ignore-snapshots tsconfig: with-deps only-shell ui-port:"
    )
  },
  prisma: {
    options: "-vh",
    commands: {
      ...tools(
        "generate validate format studio version init",
        "-p: -b: schema: generator: browser: sql allow-no-models"
      ),
      ...named("migrate db", {
        options: "",
        commands: named("dev status diff reset deploy resolve push pull seed", tool(`-h -nbp: ${prisma}`))
      })
    }
  }
}
